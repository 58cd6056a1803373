// Waits for the first view, for painting, or for the end of a click.
import { withTimeout } from "../../../async/with-timeout.ts";
import { importOrReload } from "../../scripts.ts";
import { closestTo } from "../../content/elements.ts";

const first = Promise.withResolvers<void>();
/** Maximum time to wait for the first view. */
const WAIT_MS = 3000;

/** Called when the view is displayed, or cannot be. */
export const markShown = (): void => first.resolve();

/** Resolves when the first view is displayed, however long that takes. */
export const isShown: Promise<void> = first.promise;

/** Resolves when the first view is painted. */
export const whenShown: Promise<void> = withTimeout(isShown, WAIT_MS, () => {}).then(
  afterNextFrame,
);

/** Loads a script that the first view does not need. */
export const importLater = <T>(find: () => Promise<T>): Promise<T> =>
  whenShown.then(() => importOrReload(find));

/** Resolves when the current changes are painted. Hidden pages do not paint. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    const next = () => setTimeout(resolve);
    if (document.hidden) next();
    else requestAnimationFrame(next);
  });
}

/** Resolves when another frame has started, for work that is not urgent. */
export function afterNextFrame(): Promise<void> {
  return afterPaint().then(afterPaint);
}

let isPressed = false;
let pendingCallback: (() => void) | undefined;
for (const kind of ["pointerdown", "pointerup", "pointercancel"]) {
  addEventListener(
    kind,
    ({ type }) => {
      isPressed = type === "pointerdown";
      pendingCallback?.();
      pendingCallback = undefined;
    },
    true,
  );
}

/**
 * Runs at once unless a pointer or key is down, because moving elements would escape the click. Of
 * several calls meanwhile, only the last one runs.
 */
export function afterPress(callback: () => void): void {
  if (isPressed) pendingCallback = callback;
  else callback();
}

/** After a touch, the click event follows with a delay or never. */
const CLICK_MS = 300;
let isHeld = false;
let deferred: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function runDeferred(): void {
  const callbacks = deferred;
  isHeld = false;
  deferred = [];
  for (const callback of callbacks) callback();
}

const onPress = (event: Event): void => {
  const { type, button, buttons, key, target } = event as PointerEvent & KeyboardEvent;
  if (type === "pointermove") return void (isHeld && !buttons && runDeferred());
  clearTimeout(timer);
  // The space bar activates a button when it is released.
  if (type === "pointerdown" ? button === 0 : type === "keydown" && key === " ") {
    isHeld = Boolean(closestTo(target, "a, button"));
  } else timer = setTimeout(runDeferred, type === "pointerup" ? CLICK_MS : 0);
};
for (const kind of "pointerdown pointermove pointerup pointercancel click keydown keyup blur".split(
  " ",
)) {
  addEventListener(kind, onPress, true);
}

/**
 * Whether a link or button is pressed. If it is rendered again before the release, it gets no
 * click, so changes wait with `afterClick`.
 */
export const isClicking = (): boolean => isHeld;

/** Runs at the end of the current click. All calls meanwhile run in order. */
export function afterClick(callback: () => void): void {
  deferred.push(callback);
}
