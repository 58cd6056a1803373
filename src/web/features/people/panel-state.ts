// Whether the panel of users is open: beside the sheet, or above it on narrow screens.
import { signal } from "@preact/signals";
import { isBoolean, deviceSetting } from "../../device-storage.ts";

/** Beside the sheet; stored on the device. */
export const isBeside = deviceSetting("people-panel", true, isBoolean);
/** Above the sheet, until it is closed. */
export const isOver = signal(false);

export const fitsBeside = (): boolean => !matchMedia("(width < 1180px)").matches;

export function togglePanel(): void {
  if (fitsBeside()) isBeside.value = !isBeside.value;
  else isOver.value = !isOver.value;
}
