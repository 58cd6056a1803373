// Announces changes to screen readers that sighted users see in place.
import { element } from "../content/node.ts";

/** Created before its text, since only changes of existing regions are announced. */
const region = element("p", "vh");
region.setAttribute("role", "status");
document.body.append(region);

/** Screen readers repeat the same text only if something else changes. */
export function announce(text: string): void {
  region.textContent = text === region.textContent ? `${text}\u00a0` : text;
}
