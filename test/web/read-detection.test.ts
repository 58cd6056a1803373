// Reading: which messages count as seen, and announcements of new ones.
import { expect, test } from "bun:test";
import { Announcer } from "../../src/web/features/conversation/announcing/announcer.ts";
import { savedPosition, savePosition } from "../../src/web/features/conversation/position-state.ts";
import { VISIBLE_MS_MIN, VisibilityTracker } from "../../src/web/features/unread/seen-state.ts";

const HEIGHT = 100;

test("a message is seen if its end was visible for a moment", () => {
  const tracker = new VisibilityTracker();
  tracker.observe([{ id: 1, start: -20, end: 30 }], HEIGHT, 0);
  expect(tracker.seenBy(VISIBLE_MS_MIN - 1)).toEqual([]);
  expect(tracker.isWaiting(VISIBLE_MS_MIN - 1)).toBe(true);
  expect(tracker.seenBy(VISIBLE_MS_MIN)).toEqual([1]);
  // A message that leaves too early has to be visible for the full time again.
  const passing = new VisibilityTracker();
  passing.observe([{ id: 1, start: 0, end: 30 }], HEIGHT, 0);
  passing.observe([], HEIGHT, 100);
  passing.observe([{ id: 1, start: 0, end: 30 }], HEIGHT, 200);
  expect(passing.seenBy(VISIBLE_MS_MIN)).toEqual([]);
  expect(passing.seenBy(200 + VISIBLE_MS_MIN)).toEqual([1]);
});

test("a message whose end is below the edge is not seen", () => {
  const tracker = new VisibilityTracker();
  tracker.observe([{ id: 1, start: 80, end: 120 }], HEIGHT, 0);
  expect(tracker.seenBy(10 * VISIBLE_MS_MIN)).toEqual([]);
  expect(tracker.isWaiting(0)).toBe(false);
});

test("a message taller than the window is seen if both ends were", () => {
  const tracker = new VisibilityTracker();
  tracker.observe([{ id: 1, start: 10, end: 400 }], HEIGHT, 0);
  tracker.observe([{ id: 1, start: -200, end: 190 }], HEIGHT, 1000);
  expect(tracker.seenBy(9000)).toEqual([]);
  tracker.observe([{ id: 1, start: -320, end: 70 }], HEIGHT, 10_000);
  expect(tracker.seenBy(10_000 + VISIBLE_MS_MIN)).toEqual([1]);
  const fromBelow = new VisibilityTracker();
  fromBelow.observe([{ id: 1, start: -320, end: 70 }], HEIGHT, 0);
  expect(fromBelow.seenBy(VISIBLE_MS_MIN)).toEqual([]);
  fromBelow.observe([{ id: 1, start: 0, end: 390 }], HEIGHT, 1000);
  expect(fromBelow.seenBy(1000)).toEqual([1]);
});

test("marks a message that is exactly as tall as the viewport as seen by its end", () => {
  const whole = new VisibilityTracker();
  whole.observe([{ id: 1, start: 0, end: HEIGHT }], HEIGHT, 0);
  expect(whole.seenBy(VISIBLE_MS_MIN)).toEqual([1]);
  // The start of the message was never visible, as after a jump into its middle.
  const end = new VisibilityTracker();
  end.observe([{ id: 1, start: -40, end: HEIGHT - 40 }], HEIGHT, 0);
  expect(end.seenBy(VISIBLE_MS_MIN)).toEqual([1]);
  const taller = new VisibilityTracker();
  taller.observe([{ id: 1, start: -41, end: HEIGHT - 40 }], HEIGHT, 0);
  expect(taller.seenBy(VISIBLE_MS_MIN)).toEqual([]);
});

test("restores the position, unless it is old or there are new messages", () => {
  const attempt = { at: { id: 7, offset: 12 } };
  savePosition("view", { standing: attempt, at: 1000, newest: 20 });
  expect(savedPosition("view", undefined, 0, 2000)).toEqual(attempt);
  expect(savedPosition("view", undefined, 20, 2000)).toEqual(attempt);
  expect(savedPosition("view", undefined, 21, 2000)).toBeUndefined();
  expect(savedPosition("view", undefined, 0, 1000 + 1_800_001)).toBeUndefined();
  expect(savedPosition("other", undefined, 0, 2000)).toBeUndefined();
  const own = { standing: { at: "end" as const }, at: 1500, newest: 20 };
  expect(savedPosition("view", own, 0, 2000)).toEqual({ at: "end" });
});

test("announces new messages at once, and many as a number", () => {
  const received: string[] = [];
  let due: (() => void) | undefined;
  const announcer = new Announcer(
    (text) => received.push(text),
    { one: ({ name, text }) => `${name}: ${text}`, many: (count) => `${count} new` },
    (_, action) => (due = action),
  );
  const listMessages = (text: string) => ({ name: "Bo", text });
  announcer.announce([listMessages("Hello")]);
  announcer.announce([listMessages("a"), listMessages("b")]);
  expect(received).toEqual(["Bo: Hello"]);
  due!();
  expect(received.at(-1)).toBe("Bo: a Bo: b");
  announcer.announce(["1", "2", "3", "4", "5"].map(listMessages));
  due!();
  expect(received.at(-1)).toBe("5 new");
  due!();
  announcer.announce([listMessages(`${"x".repeat(200)}`)]);
  expect(received.at(-1)).toBe(`Bo: ${"x".repeat(120)}…`);
});
