// Polls of an event queue: answers, acknowledgments, waiting and errors.
import { beforeEach, describe, expect, test } from "bun:test";
import {
  Refusal,
  badEventQueueId,
  eventNotInQueue,
  eventPruned,
} from "../../src/contract/errors/general.ts";
import { QUEUE_EVENTS_MAX } from "../../src/queues/queue.ts";
import { pollFor, rowsOf, HubFixture } from "./hub-fixture.ts";

type RefusalFor = (id: number) => Refusal;

let stage: HubFixture;
beforeEach(() => {
  stage = new HubFixture();
  stage.seq = 100;
  stage.open("q", 1);
});

test("a response is one JSON text, each event with its id last", async () => {
  stage.emit("message", [1], { content: 'a "quote"' });
  stage.emit("message", [1], { mine: true });
  await stage.settle();
  expect(stage.poll("q")).toBe(
    '{"result":"success","msg":"","events":[' +
      '{"type":"message","content":"a \\"quote\\"","id":101},' +
      '{"type":"message","mine":true,"to":1,"id":102}],"queue_id":"q"}',
  );
});

test("users with the same events get the same response, except the queue id", async () => {
  stage.open("r", 2);
  stage.open("s", 3);
  const queues = ["q", "r", "s"];
  for (const more of [{}, { mine: true }, { text: "\u00e9\u2603" }]) {
    const held = queues.map((queue_id) => stage.poll(queue_id, stage.seq));
    const id = stage.emit("n", "all", more);
    for (const [index, answer] of held.entries()) {
      const to = "mine" in more ? { to: index + 1 } : {};
      expect(JSON.parse(await answer)).toEqual({
        result: "success",
        msg: "",
        events: [{ type: "n", ...more, ...to, id }],
        queue_id: queues[index],
      });
    }
  }
});

test("repeats events until they are acknowledged", async () => {
  for (let n = 0; n < 3; n++) stage.emit("n", [1]);
  await stage.settle();
  expect(stage.ids("q")).toEqual([101, 102, 103]);
  expect(stage.ids("q", 100)).toEqual([101, 102, 103]);
  expect(stage.ids("q", 102)).toEqual([103]);
  expect(stage.ids("q", 102)).toEqual([103]);
  expect(stage.ids("q", 103)).toEqual([]);
});

test("answers an open poll at the first publish, with all of its events", async () => {
  const poll = stage.poll("q");
  stage.hub.publish([stage.event("a", [1]), stage.event("b", [2]), stage.event("c", [1])]);
  stage.emit("d", [2]);
  expect(rowsOf(await poll).map((row) => row.type)).toEqual(["a", "c"]);
  expect(stage.ids("q")).toEqual([101, 103]);
});

describe("last_event_id", () => {
  beforeEach(async () => {
    for (let n = 0; n < 3; n++) stage.emit("n", [1]);
    await stage.settle();
  });
  const right: [name: string, before: number[], id: number][] = [
    ["-1 is right on a fresh queue", [], -1],
    ["-1 is right again while nothing is acknowledged", [-1, 100], -1],
    ["the number that register answered is right", [], 100],
    ["the newest is right", [], 103],
    ["the same again is right", [102], 102],
  ];
  test.each(right)("%s", (_, before, id) => {
    for (const earlier of before) void stage.poll("q", earlier, true);
    expect(stage.poll("q", id, true)).toBeString();
  });
  const wrong: [name: string, before: number[], id: number, of: RefusalFor, words: string][] = [
    ["older than the opening", [], 99, eventPruned, "An event newer than 99 has"],
    ["-1 after an acknowledgement", [101], -1, eventPruned, "An event newer than -1 has"],
    ["older than acknowledged", [102], 101, eventPruned, "An event newer than 101 has"],
    ["never given", [], 104, eventNotInQueue, "Event 104 was not in this queue"],
  ];
  test.each(wrong)("%s is rejected", (_, before, id, refusing, text) => {
    for (const earlier of before) void stage.poll("q", earlier, true);
    const refusal = refusing(id);
    expect(() => stage.poll("q", id, true)).toThrow(refusal);
    const full = refusing === eventPruned ? `${text} already been pruned!` : text;
    expect([refusal.errCode, refusal.status, refusal.message]).toEqual(["BAD_REQUEST", 400, full]);
  });
  test("a rejected poll keeps the open one", async () => {
    const poll = stage.poll("q", 103);
    expect(() => stage.poll("q", 5)).toThrow(Refusal);
    const seq = stage.emit("n", [1]);
    expect(rowsOf(await poll)).toEqual([{ type: "n", id: seq }]);
  });
});

test("a newer poll ends the older one without events", async () => {
  const older = stage.poll("q");
  const newer = stage.poll("q");
  expect(rowsOf(await older)).toEqual([]);
  expect(stage.hub.counts.parked).toBe(1);
  stage.emit("n", [1]);
  expect(rowsOf(await newer)).toHaveLength(1);
});

test("dont_block returns at once", () => {
  expect(stage.poll("q", -1, true)).toBe(
    '{"result":"success","msg":"","events":[],"queue_id":"q"}',
  );
});

test("a lost response loses nothing", async () => {
  void stage.poll("q");
  stage.emit("n", [1]);
  await stage.settle();
  expect(stage.hub.counts.parked).toBe(0);
  expect(stage.ids("q")).toEqual([101]);
});

test("a closed queue ends its poll and is unknown", async () => {
  const queue = stage.queue("q");
  const poll = stage.poll("q");
  stage.hub.close("q");
  expect(rowsOf(await poll)).toEqual([]);
  expect(stage.hub.find("q", 1)).toBeUndefined();
  expect(stage.hub.takeRemoved()).toEqual(["q"]);
  const refusal = badEventQueueId("q");
  expect(() => pollFor(stage.hub, queue)).toThrow(refusal);
  expect(refusal.message).toBe("Bad event queue ID: q");
  expect([refusal.errCode, refusal.status]).toEqual(["BAD_EVENT_QUEUE_ID", 400]);
  expect(refusal.extra).toEqual({ queue_id: "q" });
});

test("closes a queue that overflows, but not one that is just full", async () => {
  for (let n = 0; n < QUEUE_EVENTS_MAX; n++) stage.emit("n", [1]);
  await stage.settle();
  expect(stage.queue("q").ring.count).toBe(QUEUE_EVENTS_MAX);
  stage.emit("n", [1]);
  await stage.settle();
  expect(stage.hub.find("q", 1)).toBeUndefined();
  expect(stage.hub.takeRemoved()).toEqual(["q"]);
});

test("truncates a long response, and the rest follows", async () => {
  const text = "x".repeat(3 << 20);
  for (let n = 0; n < 4; n++) stage.emit("n", [1], { text });
  await stage.settle();
  expect(stage.ids("q")).toEqual([101, 102, 103]);
  expect(stage.ids("q", 103)).toEqual([104]);
});

test("a stop ends all open polls, and holds none after", async () => {
  stage.open("r", 2);
  const held = [stage.poll("q"), stage.poll("r")];
  stage.hub.stop();
  for (const answer of held) expect(rowsOf(await answer)).toEqual([]);
  expect(stage.poll("q")).toBeString();
});
