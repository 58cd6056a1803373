// Films and sounds in spoilers: asked for once one opens it, and silent as soon as it is closed.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement)) return;
    for (const player of target.querySelectorAll<HTMLMediaElement>("audio, video")) {
      if (player.closest("details:not([open])")) player.pause();
      else player.preload = "metadata";
    }
  },
  // It does not bubble.
  { capture: true },
);
