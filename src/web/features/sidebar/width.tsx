// The width of the sidebar, changed by dragging or with arrow keys, stored on the device.
import type { TargetedPointerEvent } from "preact";
import { useSignalEffect } from "@preact/signals";
import { isNumber, deviceSetting } from "../../device-storage.ts";
import { t } from "../../words/words.ts";

const PIXELS = 272;
const PIXELS_MIN = 220;
const PIXELS_MAX = 360;
const STEP = 16;

const width = deviceSetting("rail-width", PIXELS, isNumber);

const set = (pixels: number) => {
  width.value = Math.round(Math.max(PIXELS_MIN, Math.min(PIXELS_MAX, pixels)));
};

export function ResizeHandle() {
  useSignalEffect(() => {
    document.documentElement.style.setProperty("--sidebar-width", `${width.value}px`);
  });
  return (
    <div
      class="sidebar-resize"
      role="separator"
      aria-orientation="vertical"
      aria-label={t("sidebar-width")}
      aria-valuenow={width.value}
      aria-valuemin={PIXELS_MIN}
      aria-valuemax={PIXELS_MAX}
      tabIndex={0}
      onDblClick={() => set(PIXELS)}
      onPointerDown={startDrag}
      onKeyDown={(event) => {
        const step = event.key === "ArrowRight" ? STEP : event.key === "ArrowLeft" ? -STEP : 0;
        if (step === 0) return;
        set(width.value + (isMirrored() ? -step : step));
        event.preventDefault();
      }}
    />
  );
}

const isMirrored = () => document.documentElement.dir === "rtl";

function startDrag(event: TargetedPointerEvent<HTMLElement>): void {
  const edge = event.currentTarget;
  edge.setPointerCapture(event.pointerId);
  const [from, before] = [event.clientX, width.peek()];
  const move = ({ clientX }: PointerEvent) =>
    set(before + (isMirrored() ? from - clientX : clientX - from));
  edge.addEventListener("pointermove", move);
  const end = () => edge.removeEventListener("pointermove", move);
  edge.addEventListener("lostpointercapture", end, { once: true });
}
