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

let fixture: HubFixture;
beforeEach(() => {
  fixture = new HubFixture();
  fixture.seq = 100;
  fixture.open("q", 1);
});

test("a response is one JSON text, each event with its id last", async () => {
  fixture.emit("message", [1], { content: 'a "quote"' });
  fixture.emit("message", [1], { mine: true });
  await fixture.settle();
  expect(fixture.poll("q")).toBe(
    '{"result":"success","msg":"","events":[' +
      '{"type":"message","content":"a \\"quote\\"","id":101},' +
      '{"type":"message","mine":true,"to":1,"id":102}],"queue_id":"q"}',
  );
});

test("users with the same events get the same response, except the queue id", async () => {
  fixture.open("r", 2);
  fixture.open("s", 3);
  const queues = ["q", "r", "s"];
  for (const more of [{}, { mine: true }, { text: "\u00e9\u2603" }]) {
    const poll = queues.map((queue_id) => fixture.poll(queue_id, fixture.seq));
    const id = fixture.emit("n", "all", more);
    for (const [index, answer] of poll.entries()) {
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
  for (let n = 0; n < 3; n++) fixture.emit("n", [1]);
  await fixture.settle();
  expect(fixture.ids("q")).toEqual([101, 102, 103]);
  expect(fixture.ids("q", 100)).toEqual([101, 102, 103]);
  expect(fixture.ids("q", 102)).toEqual([103]);
  expect(fixture.ids("q", 102)).toEqual([103]);
  expect(fixture.ids("q", 103)).toEqual([]);
});

test("answers an open poll at the first publish, with all of its events", async () => {
  const poll = fixture.poll("q");
  fixture.hub.publish([fixture.event("a", [1]), fixture.event("b", [2]), fixture.event("c", [1])]);
  fixture.emit("d", [2]);
  expect(rowsOf(await poll).map((row) => row.type)).toEqual(["a", "c"]);
  expect(fixture.ids("q")).toEqual([101, 103]);
});

describe("last_event_id", () => {
  beforeEach(async () => {
    for (let n = 0; n < 3; n++) fixture.emit("n", [1]);
    await fixture.settle();
  });
  const right: [name: string, before: number[], id: number][] = [
    ["-1 is right on a fresh queue", [], -1],
    ["-1 is right again while nothing is acknowledged", [-1, 100], -1],
    ["the number that register answered is right", [], 100],
    ["the newest is right", [], 103],
    ["the same again is right", [102], 102],
  ];
  test.each(right)("%s", (_, before, id) => {
    for (const earlier of before) void fixture.poll("q", earlier, true);
    expect(fixture.poll("q", id, true)).toBeString();
  });
  const wrong: [name: string, before: number[], id: number, of: RefusalFor, words: string][] = [
    ["older than the opening", [], 99, eventPruned, "An event newer than 99 has"],
    ["-1 after an acknowledgement", [101], -1, eventPruned, "An event newer than -1 has"],
    ["older than acknowledged", [102], 101, eventPruned, "An event newer than 101 has"],
    ["never given", [], 104, eventNotInQueue, "Event 104 was not in this queue"],
  ];
  test.each(wrong)("%s is rejected", (_, before, id, refusing, text) => {
    for (const earlier of before) void fixture.poll("q", earlier, true);
    const refusal = refusing(id);
    expect(() => fixture.poll("q", id, true)).toThrow(refusal);
    const full = refusing === eventPruned ? `${text} already been pruned!` : text;
    expect([refusal.errCode, refusal.status, refusal.message]).toEqual(["BAD_REQUEST", 400, full]);
  });
  test("a rejected poll keeps the open one", async () => {
    const poll = fixture.poll("q", 103);
    expect(() => fixture.poll("q", 5)).toThrow(Refusal);
    const seq = fixture.emit("n", [1]);
    expect(rowsOf(await poll)).toEqual([{ type: "n", id: seq }]);
  });
});

test("a newer poll ends the older one without events", async () => {
  const older = fixture.poll("q");
  const newer = fixture.poll("q");
  expect(rowsOf(await older)).toEqual([]);
  expect(fixture.hub.counts.parked).toBe(1);
  fixture.emit("n", [1]);
  expect(rowsOf(await newer)).toHaveLength(1);
});

test("dont_block returns at once", () => {
  expect(fixture.poll("q", -1, true)).toBe(
    '{"result":"success","msg":"","events":[],"queue_id":"q"}',
  );
});

test("a lost response loses nothing", async () => {
  void fixture.poll("q");
  fixture.emit("n", [1]);
  await fixture.settle();
  expect(fixture.hub.counts.parked).toBe(0);
  expect(fixture.ids("q")).toEqual([101]);
});

test("a closed queue ends its poll and is unknown", async () => {
  const queue = fixture.queue("q");
  const poll = fixture.poll("q");
  fixture.hub.close("q");
  expect(rowsOf(await poll)).toEqual([]);
  expect(fixture.hub.find("q", 1)).toBeUndefined();
  expect(fixture.hub.takeRemoved()).toEqual(["q"]);
  const refusal = badEventQueueId("q");
  expect(() => pollFor(fixture.hub, queue)).toThrow(refusal);
  expect(refusal.message).toBe("Bad event queue ID: q");
  expect([refusal.errCode, refusal.status]).toEqual(["BAD_EVENT_QUEUE_ID", 400]);
  expect(refusal.extra).toEqual({ queue_id: "q" });
});

test("closes a queue that overflows, but not one that is just full", async () => {
  for (let n = 0; n < QUEUE_EVENTS_MAX; n++) fixture.emit("n", [1]);
  await fixture.settle();
  expect(fixture.queue("q").ring.count).toBe(QUEUE_EVENTS_MAX);
  fixture.emit("n", [1]);
  await fixture.settle();
  expect(fixture.hub.find("q", 1)).toBeUndefined();
  expect(fixture.hub.takeRemoved()).toEqual(["q"]);
});

test("truncates a long response, and the rest follows", async () => {
  const text = "x".repeat(3 << 20);
  for (let n = 0; n < 4; n++) fixture.emit("n", [1], { text });
  await fixture.settle();
  expect(fixture.ids("q")).toEqual([101, 102, 103]);
  expect(fixture.ids("q", 103)).toEqual([104]);
});

test("a stop ends all open polls, and holds none after", async () => {
  fixture.open("r", 2);
  const poll = [fixture.poll("q"), fixture.poll("r")];
  fixture.hub.stop();
  for (const answer of poll) expect(rowsOf(await answer)).toEqual([]);
  expect(fixture.poll("q")).toBeString();
});
