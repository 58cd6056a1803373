// The hub: which queues receive which events, in which order and batches.
import { beforeEach, describe, expect, test } from "bun:test";
import { DELIVERIES_MAX, SLICE_APPENDS_MAX, SLICE_WAKES_MAX } from "../../src/queues/fanout.ts";
import { CAN_BULK, CAN_NOT_NOVEL, rowsOf, HubFixture, nextTick } from "./hub-fixture.ts";

let stage: HubFixture;
beforeEach(() => {
  stage = new HubFixture();
});

test("each queue of a user receives each event once, in order", async () => {
  stage.open("phone", 1);
  stage.open("desk", 1);
  for (let id = 2; id <= 5; id++) stage.open(id === 2 ? "other" : `more${id}`, id);
  for (let n = 0; n < 50; n++) stage.emit("n", n % 2 === 0 ? [1, 1] : "all", { n });
  await stage.settle();
  const every = Array.from({ length: 50 }, (_, index) => index + 1);
  expect(stage.ids("phone")).toEqual(every);
  expect(stage.ids("desk")).toEqual(every);
  expect(stage.ids("other")).toEqual(every.filter((id) => id % 2 === 0));
});

test("only its own user finds a queue", () => {
  const queue = stage.open("q", 1);
  expect(stage.hub.find("q", 1)).toBe(queue);
  expect(stage.hub.find("q", 2)).toBeUndefined();
  expect(stage.hub.find("r", 1)).toBeUndefined();
});

test("closing a user's queues keeps those of others", () => {
  for (const name of ["a", "b", "c"]) stage.open(name, 1);
  stage.open("d", 2);
  stage.hub.closeOf(1);
  expect(stage.hub.counts).toMatchObject({ queues: 1, people: 1 });
  expect(stage.hub.of(1)).toEqual([]);
  expect(stage.hub.takeRemoved().sort()).toEqual(["a", "b", "c"]);
});

test("a queue receives the event types that it registered for", async () => {
  stage.open("some", 1, { event_types: ["a", "c"] });
  stage.open("none", 1, { event_types: [] });
  for (const type of ["a", "b", "c"]) stage.emit(type, [1]);
  await stage.settle();
  expect(stage.rows("some").map((row) => row.type)).toEqual(["a", "c"]);
  expect(stage.rows("none")).toEqual([]);
});

test("iterates the smaller of the audience and the connected users", async () => {
  for (let id = 1; id <= 3; id++) stage.open(`q${id}`, id);
  stage.emit("few", [1, 9]);
  expect(stage.product.asked).toEqual(["people"]);
  stage.product.asked = [];
  stage.emit("many", [1, 9, 10, 11, 12]);
  expect(stage.product.asked).toEqual(["includes", "includes", "includes"]);
  await stage.settle();
  expect(stage.ids("q1")).toEqual([1, 2]);
  expect(stage.ids("q2")).toEqual([]);
});

describe("a wide queue", () => {
  const people = [[1], [1, 5, 6, 7, 8]];
  test.each(people)("receives public events, and those of its user (%#)", async (...audience) => {
    stage.open("wide", 2, { all_public_streams: true });
    stage.open("own", 1, { all_public_streams: true });
    stage.open("narrow", 3);
    stage.emit("open", audience, { public: true });
    stage.emit("closed", audience);
    await stage.settle();
    expect(stage.rows("wide").map((row) => row.type)).toEqual(["open"]);
    expect(stage.rows("own").map((row) => row.type)).toEqual(["open", "closed"]);
    expect(stage.rows("narrow")).toEqual([]);
  });
});

test("renders an event once per variant, for any number of queues", async () => {
  for (let id = 1; id <= 20; id++) stage.open(`q${id}`, id, { capabilities: (id % 2) * CAN_BULK });
  stage.emit("n", "all");
  await stage.settle();
  for (let id = 1; id <= 20; id++) expect(stage.rows(`q${id}`)).toHaveLength(1);
  expect(stage.product.rendered).toBe(2);
});

test("a wide event is several for some, and past for all at its last id", async () => {
  stage.open("bulk", 1, { capabilities: CAN_BULK });
  stage.open("single", 1);
  stage.hub.publish([stage.event("delete", [1], {}, 3), stage.event("n", [1])]);
  await stage.settle();
  expect(stage.ids("bulk")).toEqual([3, 4]);
  expect(stage.ids("single")).toEqual([1, 2, 3, 4]);
  expect(stage.ids("single", 2)).toEqual([3, 4]);
  expect(stage.hub.oldestNeeded()).toBe(0);
  expect(stage.ids("single", 3)).toEqual([4]);
  expect(stage.ids("bulk", 3)).toEqual([4]);
  expect(stage.hub.oldestNeeded()).toBe(3);
});

test("an event that is empty for a variant wakes no poll", async () => {
  stage.open("q", 1, { capabilities: CAN_NOT_NOVEL });
  const poll = stage.poll("q");
  stage.emit("novel", [1]);
  await stage.settle();
  expect(stage.hub.counts.parked).toBe(1);
  stage.emit("plain", [1]);
  expect(rowsOf(await poll)).toEqual([{ type: "plain", id: 2 }]);
});

test("a queue receives only events after its registration", async () => {
  const early = stage.event("early", [1]);
  stage.open("q", 1);
  stage.hub.publish([early]);
  stage.emit("in line", [1]);
  stage.open("later", 1);
  stage.emit("late", [1]);
  await stage.settle();
  expect(stage.rows("q").map((row) => row.type)).toEqual(["in line", "late"]);
  expect(stage.rows("later").map((row) => row.type)).toEqual(["late"]);
});

test("does not add events to a queue that the client already has", async () => {
  stage.open("q", 1);
  for (let n = 0; n < 3; n++) stage.emit("n", [1]);
  expect(stage.ids("q", 2)).toEqual([]);
  await stage.settle();
  expect(stage.ids("q", 2)).toEqual([3]);
  expect(stage.queue("q").ring.count).toBe(1);
});

test("the publisher processes a long line itself", () => {
  const queues = 64;
  for (let id = 1; id <= queues; id++) stage.open(`q${id}`, id);
  const events = DELIVERIES_MAX / queues;
  for (let n = 0; n < events; n++) stage.emit("n", "all");
  expect(stage.hub.counts.inLine).toBe(DELIVERIES_MAX);
  stage.emit("n", "all");
  expect(stage.hub.counts.inLine).toBe(queues);
  expect(stage.queue("q1").ring.count).toBe(events);
});

test("delivers nothing before the publisher's own turn ends", async () => {
  stage.open("q", 1);
  const events: string[] = [];
  const held = Promise.resolve(stage.poll("q")).then(() => events.push("fan-out"));
  const sent = (async () => {
    await Promise.resolve();
    stage.emit("n", [1]);
    await Promise.resolve();
    await Promise.resolve();
  })().then(() => events.push("the send's answer"));
  await Promise.all([held, sent]);
  expect(events).toEqual(["the send's answer", "fan-out"]);
});

test("lets other work run between slices", async () => {
  const count = SLICE_WAKES_MAX * 3;
  for (let id = 1; id <= count; id++) stage.open(`q${id}`, id);
  for (let id = 1; id <= count; id++) void stage.poll(`q${id}`);
  stage.emit("n", "all");
  const parked: number[] = [];
  while (stage.hub.counts.parked > 0) {
    await nextTick();
    parked.push(stage.hub.counts.parked);
  }
  expect(parked).toEqual([SLICE_WAKES_MAX * 2, SLICE_WAKES_MAX, 0]);
});

test("slices appends too, and polls wait for the last of them", async () => {
  const events = 2 * SLICE_APPENDS_MAX + 1;
  stage.open("q", 1);
  const poll = stage.poll("q");
  stage.hub.publish(Array.from({ length: events }, () => stage.event("n", [1])));
  await nextTick();
  expect(stage.hub.counts).toMatchObject({ inLine: events - SLICE_APPENDS_MAX, parked: 1 });
  await nextTick();
  expect(stage.hub.counts).toMatchObject({ inLine: 1, parked: 1 });
  expect(rowsOf(await poll)).toHaveLength(events);
});

test("a slice ends when its time is up, and progresses on slow machines", async () => {
  const { clock } = stage;
  for (let id = 1; id <= 3; id++) stage.open(`q${id}`, id);
  for (let id = 1; id <= 3; id++) void stage.poll(`q${id}`);
  stage.emit("n", "all");
  clock.now = () => (clock.at += 10);
  for (const parked of [2, 1, 0]) {
    await nextTick();
    expect(stage.hub.counts.parked).toBe(parked);
  }
});

test("closes a queue whose delivery fails, and others receive the event", async () => {
  stage.open("hit", 1);
  stage.open("well", 2);
  const poll = stage.poll("hit");
  stage.emit("n", [1], { broken: true });
  stage.emit("n", "all");
  await stage.settle();
  expect(rowsOf(await poll)).toEqual([]);
  expect(stage.hub.takeRemoved()).toEqual(["hit"]);
  expect(stage.ids("well")).toEqual([2]);
  expect(stage.faults).toEqual([new Error("cannot be told")]);
});

test("closes all queues if an audience cannot be resolved", () => {
  stage.open("a", 1);
  stage.open("b", 2);
  stage.emit("n", null as never);
  expect(stage.hub.counts.queues).toBe(0);
  expect(stage.hub.takeRemoved().sort()).toEqual(["a", "b"]);
});

test("rejects events out of order", () => {
  const first = stage.event("n", [1]);
  stage.hub.publish([stage.event("n", [1])]);
  expect(() => stage.hub.publish([first])).toThrow("event 1 comes after 2");
});

test("keeps the log from the oldest waiting event", async () => {
  stage.open("q", 1);
  stage.open("idle", 2);
  expect(stage.hub.oldestNeeded()).toBe(-1);
  for (let n = 0; n < 3; n++) stage.emit("n", [1]);
  expect(stage.hub.oldestNeeded()).toBe(0);
  await stage.settle();
  expect(stage.hub.oldestNeeded()).toBe(0);
  stage.ids("q", 2);
  expect(stage.hub.oldestNeeded()).toBe(2);
  stage.ids("q", 3);
  expect(stage.hub.oldestNeeded()).toBe(3);
});
