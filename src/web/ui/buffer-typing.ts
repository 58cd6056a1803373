// Captures text that is typed while the script of a field loads, so that no key is lost.

let field: HTMLInputElement | undefined;
let from: Element | null = null;

export function captureTyping(label: string): void {
  if (field) return;
  from = document.activeElement;
  field = document.createElement("input");
  field.className = "vh";
  field.setAttribute("aria-label", label);
  (document.querySelector("main") ?? document.body).append(field);
  field.focus();
}

/** Text that was typed meanwhile. The focus has not moved. */
export function takeCapturedText(): string {
  const text = field?.value ?? "";
  field?.remove();
  field = undefined;
  if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true });
  from = null;
  return text;
}
