// What a press brings waits for its end, as it would move what is pressed from under the pointer.

let isGoingOn = false;
let waiting: (() => void) | undefined;

addEventListener("pointerdown", () => (isGoingOn = true), true);
for (const kind of ["pointerup", "pointercancel"]) {
  addEventListener(
    kind,
    () => {
      isGoingOn = false;
      const act = waiting;
      waiting = undefined;
      act?.();
    },
    true,
  );
}

/** At once, where nothing is pressed; of what is asked for meanwhile only the last is done. */
export function afterPress(act: () => void): void {
  if (isGoingOn) waiting = act;
  else act();
}
