// Whether the people at the side are shown: beside the sheet, or over it where there is no room.
import { signal } from "@preact/signals";
import { isBoolean, ofDevice } from "../../device.ts";

/** Beside the sheet; a device keeps it. */
export const isBeside = ofDevice("people-panel", true, isBoolean);
/** Over it, for as long as one looks. */
export const isOver = signal(false);

export const hasRoom = (): boolean => !matchMedia("(width < 1180px)").matches;

export function togglePanel(): void {
  if (hasRoom()) isBeside.value = !isBeside.value;
  else isOver.value = !isOver.value;
}
