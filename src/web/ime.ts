// Detects input composition, as for Japanese, during which keys must not trigger shortcuts.

/** Key code that Safari sends for the key press that ends a composition. */
const COMPOSED = 229;

document.addEventListener(
  "keydown",
  (event) => {
    if (event.isComposing || event.keyCode === COMPOSED) event.stopPropagation();
  },
  { capture: true },
);
