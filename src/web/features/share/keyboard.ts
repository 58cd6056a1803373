// Keeps the bottom of the page above an on-screen keyboard that covers the page.

/** Smaller differences come from the browser's toolbars. */
const KEYBOARD_PIXELS_MIN = 60;

/** Browsers that resize the page themselves show no difference in height. */
export function makeRoomForKeyboard(): void {
  const { visualViewport } = window;
  if (!visualViewport) return;
  const updateHeight = () => {
    // The browser may have scrolled the page by a part of the height.
    const { height, offsetTop, scale } = visualViewport;
    const covered = scale === 1 ? innerHeight - height - offsetTop : 0;
    const room = covered > KEYBOARD_PIXELS_MIN ? `${Math.round(covered)}px` : "0px";
    const { style } = document.documentElement;
    style.setProperty("--keyboard", room);
    style.setProperty("--panned", `${scale === 1 ? Math.round(offsetTop) : 0}px`);
  };
  for (const type of ["resize", "scroll"]) visualViewport.addEventListener(type, updateHeight);
}
