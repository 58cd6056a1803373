// Films and sounds that the browser does not play: they say so, and are had as files.
import { element, icon } from "../../content/node.ts";
import { say } from "../../words/words.ts";

const PLAYERS = ".md audio, .md video";

function giveUp(node: EventTarget | null): void {
  if (!(node instanceof HTMLMediaElement) || !node.matches(PLAYERS) || node.hidden) return;
  node.hidden = true;
  const name = node.title || (node.getAttribute("aria-label") ?? "");
  const words = element("span", "", element("small", "", say("not-played")));
  if (name !== "") words.prepend(element("b", "", element("bdi", "", name)));
  const card = element("a", "card", element("span", "ext", icon("download")), words);
  card.href = node.src;
  card.download = "";
  node.after(card);
}

// It does not bubble, and may have come before this was there.
document.addEventListener("error", ({ target }) => giveUp(target), { capture: true });
for (const node of document.querySelectorAll<HTMLMediaElement>(PLAYERS))
  if (node.error) giveUp(node);
