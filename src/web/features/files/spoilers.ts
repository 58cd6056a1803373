// Loads media in spoilers when they are opened, and stops them when they are closed.
import { loadSpoilerImages } from "../../content/media.ts";

function onToggle(spoiler: Element): void {
  for (const player of spoiler.querySelectorAll<HTMLMediaElement>("audio, video")) {
    if (player.closest("details:not([open])")) player.pause();
    else player.preload = "metadata";
  }
  loadSpoilerImages(spoiler);
}

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target instanceof HTMLDetailsElement) onToggle(target);
  },
  // The event does not bubble.
  { capture: true },
);
// Spoilers that were opened before this script was loaded.
for (const spoiler of document.querySelectorAll(".spoiler[open]")) onToggle(spoiler);
