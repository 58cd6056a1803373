// Detects input composition, as for Japanese, during which keys must not trigger shortcuts.

/** Key code that Safari sends for the key press that ends a composition. */
const COMPOSING_KEY_CODE = 229;

document.addEventListener(
  "keydown",
  (event) => {
    if (event.isComposing || event.keyCode === COMPOSING_KEY_CODE) event.stopPropagation();
  },
  { capture: true },
);
