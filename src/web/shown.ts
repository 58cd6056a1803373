// Waits for the first view, for painting, or for the end of a key press.
import { untilThere } from "./scripts.ts";

const first = Promise.withResolvers<void>();
/** Maximum time to wait for the first view. */
const WAIT_MS = 3000;
const waited = new Promise((resolve) => setTimeout(resolve, WAIT_MS));

/** The view has what it shows, or cannot have it. */
export const markShown = (): void => first.resolve();

/** Settles when the first view is shown, however long that takes. */
export const isShown: Promise<void> = first.promise;

/** The first view is on the screen. */
export const whenShown: Promise<void> = Promise.race([isShown, waited]).then(onScreen);

/** A script that the first view does without. */
export const lateScript = <T>(find: () => Promise<T>): Promise<T> =>
  whenShown.then(() => untilThere(find));

/** Resolves when the current changes are painted. Hidden pages do not paint. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    const next = () => setTimeout(resolve);
    if (document.hidden) next();
    else requestAnimationFrame(next);
  });
}

/** Resolves when a further frame has begun, for work that nobody waits for. */
export function onScreen(): Promise<void> {
  return painted().then(painted);
}

let isPressed = false;
let waiting: (() => void) | undefined;
for (const kind of ["pointerdown", "pointerup", "pointercancel"]) {
  addEventListener(
    kind,
    ({ type }) => {
      isPressed = type === "pointerdown";
      waiting?.();
      waiting = undefined;
    },
    true,
  );
}

/**
 * At once, where nothing is pressed: what moves would go from under the pointer. Of what is asked
 * for meanwhile only the last is done.
 */
export function afterPress(act: () => void): void {
  if (isPressed) waiting = act;
  else act();
}

/** A finger's click comes some time after it was lifted, or never. */
const CLICK_MS = 300;
let isHeld = false;
let held: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function release(): void {
  const acts = held;
  isHeld = false;
  held = [];
  for (const act of acts) act();
}

const heed = (event: Event): void => {
  const { type, button, buttons, key, target } = event as PointerEvent & KeyboardEvent;
  if (type === "pointermove") return void (isHeld && !buttons && release());
  clearTimeout(timer);
  // A button is pressed by the space bar until that is let go.
  if (type === "pointerdown" ? button === 0 : type === "keydown" && key === " ") {
    isHeld = (target as Element).closest("a, button") !== null;
  } else timer = setTimeout(release, type === "pointerup" ? CLICK_MS : 0);
};
for (const kind of "pointerdown pointermove pointerup pointercancel click keydown keyup blur".split(
  " ",
)) {
  addEventListener(kind, heed, true);
}

/**
 * At once, where no link and no button is pressed: what is drawn anew between the press and its
 * click gets no click. All that is asked for meanwhile is done, in order.
 */
export function afterClick(act: () => void): void {
  if (isHeld) held.push(act);
  else act();
}
