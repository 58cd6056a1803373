// The hub: which queues receive which events, in which order and batches.
import { beforeEach, describe, expect, test } from "bun:test";
import { DELIVERIES_MAX, SLICE_APPENDS_MAX, SLICE_WAKES_MAX } from "../../src/queues/fanout.ts";
import { CAN_BULK, CAN_NOT_NOVEL, rowsOf, HubFixture, nextTick } from "./hub-fixture.ts";

let fixture: HubFixture;
beforeEach(() => {
  fixture = new HubFixture();
});

test("each queue of a user receives each event once, in order", async () => {
  fixture.open("phone", 1);
  fixture.open("desk", 1);
  for (let id = 2; id <= 5; id++) fixture.open(id === 2 ? "other" : `more${id}`, id);
  for (let n = 0; n < 50; n++) fixture.emit("n", n % 2 === 0 ? [1, 1] : "all", { n });
  await fixture.settle();
  const every = Array.from({ length: 50 }, (_, index) => index + 1);
  expect(fixture.ids("phone")).toEqual(every);
  expect(fixture.ids("desk")).toEqual(every);
  expect(fixture.ids("other")).toEqual(every.filter((id) => id % 2 === 0));
});

test("only its own user finds a queue", () => {
  const queue = fixture.open("q", 1);
  expect(fixture.hub.find("q", 1)).toBe(queue);
  expect(fixture.hub.find("q", 2)).toBeUndefined();
  expect(fixture.hub.find("r", 1)).toBeUndefined();
});

test("closing a user's queues keeps those of others", () => {
  for (const name of ["a", "b", "c"]) fixture.open(name, 1);
  fixture.open("d", 2);
  fixture.hub.closeOf(1);
  expect(fixture.hub.counts).toMatchObject({ queues: 1, people: 1 });
  expect(fixture.hub.of(1)).toEqual([]);
  expect(fixture.hub.takeRemoved().sort()).toEqual(["a", "b", "c"]);
});

test("a queue receives the event types that it registered for", async () => {
  fixture.open("some", 1, { event_types: ["a", "c"] });
  fixture.open("none", 1, { event_types: [] });
  for (const type of ["a", "b", "c"]) fixture.emit(type, [1]);
  await fixture.settle();
  expect(fixture.rows("some").map((row) => row.type)).toEqual(["a", "c"]);
  expect(fixture.rows("none")).toEqual([]);
});

test("iterates the smaller of the audience and the connected users", async () => {
  for (let id = 1; id <= 3; id++) fixture.open(`q${id}`, id);
  fixture.emit("few", [1, 9]);
  expect(fixture.product.asked).toEqual(["people"]);
  fixture.product.asked = [];
  fixture.emit("many", [1, 9, 10, 11, 12]);
  expect(fixture.product.asked).toEqual(["includes", "includes", "includes"]);
  await fixture.settle();
  expect(fixture.ids("q1")).toEqual([1, 2]);
  expect(fixture.ids("q2")).toEqual([]);
});

describe("a wide queue", () => {
  const people = [[1], [1, 5, 6, 7, 8]];
  test.each(people)("receives public events, and those of its user (%#)", async (...audience) => {
    fixture.open("wide", 2, { all_public_streams: true });
    fixture.open("own", 1, { all_public_streams: true });
    fixture.open("narrow", 3);
    fixture.emit("open", audience, { public: true });
    fixture.emit("closed", audience);
    await fixture.settle();
    expect(fixture.rows("wide").map((row) => row.type)).toEqual(["open"]);
    expect(fixture.rows("own").map((row) => row.type)).toEqual(["open", "closed"]);
    expect(fixture.rows("narrow")).toEqual([]);
  });
});

test("renders an event once per variant, for any number of queues", async () => {
  for (let id = 1; id <= 20; id++)
    fixture.open(`q${id}`, id, { capabilities: (id % 2) * CAN_BULK });
  fixture.emit("n", "all");
  await fixture.settle();
  for (let id = 1; id <= 20; id++) expect(fixture.rows(`q${id}`)).toHaveLength(1);
  expect(fixture.product.rendered).toBe(2);
});

test("an event with several ids is split for some queues, and ends at its last id", async () => {
  fixture.open("bulk", 1, { capabilities: CAN_BULK });
  fixture.open("single", 1);
  fixture.hub.publish([fixture.event("delete", [1], {}, 3), fixture.event("n", [1])]);
  await fixture.settle();
  expect(fixture.ids("bulk")).toEqual([3, 4]);
  expect(fixture.ids("single")).toEqual([1, 2, 3, 4]);
  expect(fixture.ids("single", 2)).toEqual([3, 4]);
  expect(fixture.hub.oldestNeeded()).toBe(0);
  expect(fixture.ids("single", 3)).toEqual([4]);
  expect(fixture.ids("bulk", 3)).toEqual([4]);
  expect(fixture.hub.oldestNeeded()).toBe(3);
});

test("an event that is empty for a variant wakes no poll", async () => {
  fixture.open("q", 1, { capabilities: CAN_NOT_NOVEL });
  const poll = fixture.poll("q");
  fixture.emit("novel", [1]);
  await fixture.settle();
  expect(fixture.hub.counts.parked).toBe(1);
  fixture.emit("plain", [1]);
  expect(rowsOf(await poll)).toEqual([{ type: "plain", id: 2 }]);
});

test("a queue receives only events after its registration", async () => {
  const early = fixture.event("early", [1]);
  fixture.open("q", 1);
  fixture.hub.publish([early]);
  fixture.emit("in line", [1]);
  fixture.open("later", 1);
  fixture.emit("late", [1]);
  await fixture.settle();
  expect(fixture.rows("q").map((row) => row.type)).toEqual(["in line", "late"]);
  expect(fixture.rows("later").map((row) => row.type)).toEqual(["late"]);
});

test("does not add events to a queue that the client already has", async () => {
  fixture.open("q", 1);
  for (let n = 0; n < 3; n++) fixture.emit("n", [1]);
  expect(fixture.ids("q", 2)).toEqual([]);
  await fixture.settle();
  expect(fixture.ids("q", 2)).toEqual([3]);
  expect(fixture.queue("q").ring.count).toBe(1);
});

test("the publisher delivers the waiting events itself if there are many", () => {
  const queues = 64;
  for (let id = 1; id <= queues; id++) fixture.open(`q${id}`, id);
  const events = DELIVERIES_MAX / queues;
  for (let n = 0; n < events; n++) fixture.emit("n", "all");
  expect(fixture.hub.counts.inLine).toBe(DELIVERIES_MAX);
  fixture.emit("n", "all");
  expect(fixture.hub.counts.inLine).toBe(queues);
  expect(fixture.queue("q1").ring.count).toBe(events);
});

test("delivers nothing before the publisher's own turn ends", async () => {
  fixture.open("q", 1);
  const events: string[] = [];
  const poll = Promise.resolve(fixture.poll("q")).then(() => events.push("fan-out"));
  const sending = (async () => {
    await Promise.resolve();
    fixture.emit("n", [1]);
    await Promise.resolve();
    await Promise.resolve();
  })().then(() => events.push("the send's answer"));
  await Promise.all([poll, sending]);
  expect(events).toEqual(["the send's answer", "fan-out"]);
});

test("lets other work run between slices", async () => {
  const count = SLICE_WAKES_MAX * 3;
  for (let id = 1; id <= count; id++) fixture.open(`q${id}`, id);
  for (let id = 1; id <= count; id++) void fixture.poll(`q${id}`);
  fixture.emit("n", "all");
  const parkedCounts: number[] = [];
  while (fixture.hub.counts.parked > 0) {
    await nextTick();
    parkedCounts.push(fixture.hub.counts.parked);
  }
  expect(parkedCounts).toEqual([SLICE_WAKES_MAX * 2, SLICE_WAKES_MAX, 0]);
});

test("slices appends too, and polls wait for the last of them", async () => {
  const events = 2 * SLICE_APPENDS_MAX + 1;
  fixture.open("q", 1);
  const poll = fixture.poll("q");
  fixture.hub.publish(Array.from({ length: events }, () => fixture.event("n", [1])));
  await nextTick();
  expect(fixture.hub.counts).toMatchObject({ inLine: events - SLICE_APPENDS_MAX, parked: 1 });
  await nextTick();
  expect(fixture.hub.counts).toMatchObject({ inLine: 1, parked: 1 });
  expect(rowsOf(await poll)).toHaveLength(events);
});

test("a slice ends when its time is up, and progresses on slow machines", async () => {
  const { clock } = fixture;
  for (let id = 1; id <= 3; id++) fixture.open(`q${id}`, id);
  for (let id = 1; id <= 3; id++) void fixture.poll(`q${id}`);
  fixture.emit("n", "all");
  clock.now = () => (clock.at += 10);
  for (const parkedCount of [2, 1, 0]) {
    await nextTick();
    expect(fixture.hub.counts.parked).toBe(parkedCount);
  }
});

test("closes a queue whose delivery fails, and others receive the event", async () => {
  fixture.open("hit", 1);
  fixture.open("well", 2);
  const poll = fixture.poll("hit");
  fixture.emit("n", [1], { broken: true });
  fixture.emit("n", "all");
  await fixture.settle();
  expect(rowsOf(await poll)).toEqual([]);
  expect(fixture.hub.takeRemoved()).toEqual(["hit"]);
  expect(fixture.ids("well")).toEqual([2]);
  expect(fixture.faults).toEqual([new Error("cannot be told")]);
});

test("closes all queues if an audience cannot be resolved", () => {
  fixture.open("a", 1);
  fixture.open("b", 2);
  fixture.emit("n", null as never);
  expect(fixture.hub.counts.queues).toBe(0);
  expect(fixture.hub.takeRemoved().sort()).toEqual(["a", "b"]);
});

test("rejects events out of order", () => {
  const first = fixture.event("n", [1]);
  fixture.hub.publish([fixture.event("n", [1])]);
  expect(() => fixture.hub.publish([first])).toThrow("event 1 comes after 2");
});

test("keeps the log from the oldest waiting event", async () => {
  fixture.open("q", 1);
  fixture.open("idle", 2);
  expect(fixture.hub.oldestNeeded()).toBe(-1);
  for (let n = 0; n < 3; n++) fixture.emit("n", [1]);
  expect(fixture.hub.oldestNeeded()).toBe(0);
  await fixture.settle();
  expect(fixture.hub.oldestNeeded()).toBe(0);
  fixture.ids("q", 2);
  expect(fixture.hub.oldestNeeded()).toBe(2);
  fixture.ids("q", 3);
  expect(fixture.hub.oldestNeeded()).toBe(3);
});
