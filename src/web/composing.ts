// While signs are composed, such as Japanese ones, no key means anything else.

/** Key code that Safari sends for the key press that ends a composition. */
const COMPOSED = 229;

document.addEventListener(
  "keydown",
  (event) => {
    if (event.isComposing || event.keyCode === COMPOSED) event.stopPropagation();
  },
  { capture: true },
);
