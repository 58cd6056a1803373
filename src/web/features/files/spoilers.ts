// What lies in spoilers: asked for once one opens it, and silent as soon as it is closed.
import { uncover } from "../../content/media.ts";

function toggled(spoiler: Element): void {
  for (const player of spoiler.querySelectorAll<HTMLMediaElement>("audio, video")) {
    if (player.closest("details:not([open])")) player.pause();
    else player.preload = "metadata";
  }
  uncover(spoiler);
}

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target instanceof HTMLDetailsElement) toggled(target);
  },
  // It does not bubble.
  { capture: true },
);
// Who was quicker than this script.
for (const spoiler of document.querySelectorAll(".spoiler[open]")) toggled(spoiler);
