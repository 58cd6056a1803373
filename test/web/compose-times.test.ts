// Typing notifications, and the times that are suggested for sending later.
import { expect, test } from "bun:test";
import { presets } from "../../src/web/features/editor/send-times.ts";
import { keyOfConversation } from "../../src/web/conversation-keys.ts";
import { TypingNotifier } from "../../src/web/features/typing/notify-sync.ts";
import type { ConversationRef } from "../../src/web/views.ts";
import { nextHour, withOffset } from "../../src/web/words/moments.ts";
import { ManualClock } from "./manual-clock.ts";

const world = new ManualClock();

const logo: ConversationRef = { stream_id: 5, topic: "logo" };
const other: ConversationRef = { user_ids: [7] };
const key = keyOfConversation(logo);

test("sends typing notifications once per period, and when typing stops", async () => {
  const received: string[] = [];
  const notifier = new TypingNotifier(
    (op, conversation) => received.push(`${op} ${keyOfConversation(conversation)}`),
    () => ({ repeat_ms: 1000, expiry_ms: 400 }),
    world,
    keyOfConversation,
  );
  notifier.notifyInput(logo);
  await world.passTime(300);
  notifier.notifyInput(logo);
  expect(received).toEqual([`start ${key}`]);
  await world.passTime(399);
  notifier.notifyInput(logo);
  await world.passTime(301);
  notifier.notifyInput(logo);
  expect(received).toEqual([`start ${key}`, `start ${key}`]);
  notifier.notifyInput(other);
  expect(received.slice(2)).toEqual([`stop ${key}`, `start ${keyOfConversation(other)}`]);
  await world.passTime(400);
  expect(received.slice(4)).toEqual([`stop ${keyOfConversation(other)}`]);
  notifier.stop();
  expect(received.length).toBe(5);
});

test("offers each future time once", () => {
  const sunday = new Date(2026, 10, 22, 15, 0).getTime();
  const all = presets(sunday);
  expect(all.map(({ textKey }) => textKey)).toEqual(["tomorrow-morning", "tomorrow-afternoon"]);
  const early = presets(new Date(2026, 10, 24, 8, 0).getTime());
  expect(early.map(({ textKey }) => textKey)).toEqual([
    "later-today",
    "tomorrow-morning",
    "tomorrow-afternoon",
    "monday-morning",
  ]);
  expect(withOffset(nextHour(sunday))).toMatch(/^2026-11-22T16:00[+-]\d\d:\d\d$/);
});
