// The edge of the sidebar, which changes its width by dragging or with arrow keys.
import type { TargetedPointerEvent } from "preact";
import { t } from "../../words/words.ts";
import { SIDEBAR_PIXELS, sidebarWidth as width } from "./drawer-state.ts";

const PIXELS_MIN = 220;
const PIXELS_MAX = 360;
const STEP = 16;

const set = (pixels: number) => {
  width.value = Math.round(Math.max(PIXELS_MIN, Math.min(PIXELS_MAX, pixels)));
};

export function ResizeHandle() {
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
      onDblClick={() => set(SIDEBAR_PIXELS)}
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
