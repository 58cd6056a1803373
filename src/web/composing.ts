// While signs are composed, such as Japanese ones, no key means anything else.

/** What Safari calls the press that ends a composition, when it says that it is over. */
const COMPOSED = 229;

document.addEventListener(
  "keydown",
  (event) => {
    if (event.isComposing || event.keyCode === COMPOSED) event.stopPropagation();
  },
  { capture: true },
);
