// Leaves keys to a focused media player instead of treating them as shortcuts.

const PLAYER_KEYS = new Set([
  " ",
  "Enter",
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "Home",
  "End",
]);

document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isPlain = !ctrlKey && !metaKey && !altKey;
  // Runs before the commands, which listen on the window.
  if (isPlain && PLAYER_KEYS.has(key) && target instanceof HTMLMediaElement)
    event.stopPropagation();
});
