// Keys that players have of their own: while one is at a player, they move nothing else.

const OWN = new Set([
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
  // Before the commands, which listen at the window.
  if (isPlain && OWN.has(key) && target instanceof HTMLMediaElement) event.stopPropagation();
});
