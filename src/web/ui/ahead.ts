// Keeps what is typed while the script of a field is on its way, so that no key is lost or astray.

let field: HTMLInputElement | undefined;
let from: Element | null = null;

export function catchTyping(label: string): void {
  if (field) return;
  from = document.activeElement;
  field = document.createElement("input");
  field.className = "vh";
  field.setAttribute("aria-label", label);
  (document.querySelector("main") ?? document.body).append(field);
  field.focus();
}

/** Text that was typed meanwhile. The focus has not moved. */
export function caughtTyping(): string {
  const text = field?.value ?? "";
  field?.remove();
  field = undefined;
  if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true });
  from = null;
  return text;
}
