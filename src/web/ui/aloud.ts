// Announces changes to screen readers that others see in place.
import { element } from "../content/node.ts";

/** Created before its text, since only changes of existing regions are announced. */
const place = element("p", "vh");
place.setAttribute("role", "status");
document.body.append(place);

/** The same words again are read out only if something is another. */
export function tellAloud(words: string): void {
  place.textContent = words === place.textContent ? `${words}\u00a0` : words;
}
