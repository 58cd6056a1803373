// Smoothness of a fast scroll: the number of late frames among 300.
import type { Page } from "playwright-core";

const FRAMES = 300;
const PIXELS = 240;
const LATE_FRAME_MS = 25;

/** `row`: selects the list's rows. Scrolls from the beginning towards the end, or back. */
export function fling(page: Page, row: string, to: "end" | "beginning"): Promise<number> {
  const step = to === "end" ? PIXELS : -PIXELS;
  return page.evaluate(
    async ({ row, frames, step, late }) => {
      let room = document.querySelector(row)!.parentElement!;
      while (!/auto|scroll/.test(getComputedStyle(room).overflowY)) room = room.parentElement!;
      room.scrollTop = step > 0 ? 0 : room.scrollHeight;
      let [count, before, moves] = [0, performance.now(), false];
      for (let index = 0; index < frames; index++) {
        await new Promise(requestAnimationFrame);
        const frameStart = performance.now();
        if (frameStart - before > late) count += 1;
        before = frameStart;
        const previousStart = room.scrollTop;
        room.scrollTop += step;
        moves ||= room.scrollTop !== previousStart;
      }
      if (!moves) throw new Error("the list does not scroll");
      return count;
    },
    { row, frames: FRAMES, step, late: LATE_FRAME_MS },
  );
}
