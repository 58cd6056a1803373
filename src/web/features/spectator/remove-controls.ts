// Removes member-only controls from the rendered feed.
import { element } from "../../content/node.ts";

/** Commands that remain for spectators. */
const OPEN: ReadonlySet<string> = new Set([
  "copy-code",
  "lightbox",
  "open-message",
  "show-more",
  "try-code",
]);
/** Controls that do nothing for spectators and are removed. */
const MEMBER_CONTROLS = "[data-add], [data-act=mark-place-read], [data-act=place-menu]";

export function removeControls(node: HTMLElement): void {
  for (const element of node.querySelectorAll(MEMBER_CONTROLS)) element.remove();
  for (const element of node.querySelectorAll<HTMLElement>("[data-act]")) {
    if (OPEN.has(element.dataset["act"] ?? "")) continue;
    if (element instanceof HTMLButtonElement) element.replaceWith(labelOf(element));
    else {
      delete element.dataset["act"];
      delete element.dataset["on"];
    }
  }
}

/** An element with the same appearance that is not a button. */
function labelOf(button: HTMLButtonElement): HTMLElement {
  const { act } = button.dataset;
  const label = element("span", button.className, ...button.childNodes);
  if (button.title !== "") label.title = button.title;
  if (button.classList.contains("av")) {
    label.setAttribute("aria-hidden", "true");
    if (button.dataset["bot"] !== undefined) label.dataset["bot"] = "";
    label.style.setProperty("--h", button.style.getPropertyValue("--h"));
  }
  if (act === "toggle-reaction") {
    label.className = "reacted";
    label.setAttribute("role", "img");
    label.setAttribute("aria-label", button.getAttribute("aria-label") ?? "");
  }
  return label;
}
