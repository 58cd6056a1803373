// Keeps the foot of the page above the keyboard where that lies over the page.

/** Below this it is a bar of the browser that comes and goes. */
const KEYBOARD_PIXELS_MIN = 60;

/** Browsers that make room by themselves show no difference. */
export function makeRoomForKeyboard(): void {
  const { visualViewport } = window;
  if (!visualViewport) return;
  const look = () => {
    // The browser may have moved the page up by some of it already.
    const { height, offsetTop, scale } = visualViewport;
    const covered = scale === 1 ? innerHeight - height - offsetTop : 0;
    const room = covered > KEYBOARD_PIXELS_MIN ? `${Math.round(covered)}px` : "0px";
    document.documentElement.style.setProperty("--keyboard", room);
  };
  for (const type of ["resize", "scroll"]) visualViewport.addEventListener(type, look);
}
