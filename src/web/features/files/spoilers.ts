// What lies in spoilers: asked for once one opens it, and silent as soon as it is closed.
function toggled(spoiler: Element): void {
  for (const player of spoiler.querySelectorAll<HTMLMediaElement>("audio, video")) {
    if (player.closest("details:not([open])")) player.pause();
    else player.preload = "metadata";
  }
  for (const picture of spoiler.querySelectorAll<HTMLImageElement>("img[data-src]")) {
    if (picture.closest("details:not([open])")) continue;
    picture.src = picture.dataset["src"]!;
    delete picture.dataset["src"];
  }
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
