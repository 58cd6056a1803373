// What is told aloud, and only to who listens: others see it where it happens.
import { element } from "../content/node.ts";

/** It is there before its words: only what comes into such a place is read out. */
const place = element("p", "vh");
place.setAttribute("role", "status");
document.body.append(place);

/** The same words again are read out only if something is another. */
export function tellAloud(words: string): void {
  place.textContent = words === place.textContent ? `${words}\u00a0` : words;
}
