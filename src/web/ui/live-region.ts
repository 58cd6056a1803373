// Announces changes to screen readers that sighted users see in place.
import { element } from "../content/node.ts";

/** Created before its text, since only changes of existing regions are announced. */
const place = element("p", "vh");
place.setAttribute("role", "status");
document.body.append(place);

/** Screen readers repeat the same text only if something else changes. */
export function announce(text: string): void {
  place.textContent = text === place.textContent ? `${text}\u00a0` : text;
}
