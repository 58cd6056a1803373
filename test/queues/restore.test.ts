// Queues after a clean stop and after a crash.
import { beforeEach, describe, expect, test } from "bun:test";
import { QUEUE_EVENTS_MAX } from "../../src/queues/queue.ts";
import { freeze } from "../../src/queues/restore.ts";
import type { QueueRecord } from "../../src/schema/records.ts";
import { CAN_BULK, record, HubFixture } from "./hub-fixture.ts";

let fixture: HubFixture;
beforeEach(() => {
  fixture = new HubFixture();
});

describe("after a clean stop", () => {
  test("a queue has its waiting events, ephemeral ones too, but no heartbeat", async () => {
    fixture.open("q", 1);
    fixture.open("r", 2);
    fixture.emit("a", [1]);
    fixture.hub.publish([fixture.event("typing", "all", { mine: true }, 1, false)]);
    fixture.emit("b", "all");
    await fixture.settle();
    const before = { q: fixture.poll("q", 1, true), r: fixture.poll("r", -1, true) };
    fixture.hub.sendTo({ ...fixture.event("heartbeat", [1], {}, 1, false) }, [fixture.queue("q")]);
    fixture.restart(freeze(fixture.hub));
    expect({ q: fixture.poll("q", 1, true), r: fixture.poll("r", -1, true) }).toEqual(before);
  });

  test("delivers events that were still waiting for distribution", () => {
    fixture.open("q", 1);
    fixture.emit("a", [1]);
    fixture.hub.publish([fixture.event("typing", [1], {}, 1, false)]);
    fixture.restart(freeze(fixture.hub));
    expect(fixture.ids("q")).toEqual([1, 2]);
  });

  test("takes events after an outdated list from the log", async () => {
    fixture.open("q", 1);
    fixture.emit("a", [1]);
    const records = freeze(fixture.hub);
    fixture.restart(records);
    fixture.emit("b", [1]);
    fixture.emit("not mine", [2]);
    fixture.restart(records);
    expect(fixture.rows("q").map((row) => row.type)).toEqual(["a", "b"]);
  });

  test("new events follow the old, with greater ids", async () => {
    fixture.open("q", 1);
    fixture.emit("a", [1]);
    fixture.restart(freeze(fixture.hub));
    fixture.emit("b", [1]);
    await fixture.settle();
    expect(fixture.ids("q")).toEqual([1, 102]);
    expect(fixture.ids("q", 102)).toEqual([]);
  });

  test("skips trimmed log entries of an outdated list", async () => {
    fixture.open("q", 1);
    fixture.emit("a", [1]);
    fixture.emit("b", [1]);
    const records = freeze(fixture.hub);
    fixture.restart(records);
    expect(fixture.ids("q", 1)).toEqual([2]);
    fixture.log = fixture.log.filter((queuedEvent) => queuedEvent.seq > fixture.hub.oldestNeeded());
    expect(fixture.log.map((queuedEvent) => queuedEvent.seq)).toEqual([2]);
    fixture.restart(records);
    expect(fixture.ids("q", 1)).toEqual([2]);
  });
});

describe("after a crash", () => {
  test("a queue has the log's events after its checkpoint", async () => {
    const opened = [record("q", 1, {}), record("some", 1, { event_types: ["c"] })];
    for (const queueRecord of opened) fixture.hub.open(queueRecord);
    fixture.emit("a", [1]);
    fixture.emit("b", [1]);
    await fixture.settle();
    fixture.ids("q", 1);
    const checkpoint = [...fixture.hub.dirty(), opened[1]!];
    fixture.hub.publish([fixture.event("typing", [1], {}, 1, false)]);
    fixture.emit("c", "all");
    fixture.emit("other", [2]);
    fixture.restart(checkpoint);
    expect(fixture.rows("q", 1).map((row) => row.type)).toEqual(["b", "c"]);
    expect(fixture.rows("some").map((row) => row.type)).toEqual(["c"]);
  });

  test("a client ahead of the checkpoint continues", async () => {
    const opened = record("q", 1, {});
    fixture.hub.open(opened);
    for (let n = 0; n < 3; n++) fixture.emit("n", [1]);
    fixture.hub.publish([fixture.event("typing", [1], {}, 1, false)]);
    await fixture.settle();
    expect(fixture.ids("q")).toEqual([1, 2, 3, 4]);
    fixture.restart([opened]);
    expect(fixture.ids("q", 4)).toEqual([]);
    fixture.emit("n", [1]);
    await fixture.settle();
    expect(fixture.ids("q", 4)).toEqual([105]);
  });

  test("does not repeat the acknowledged half of an event with several ids", async () => {
    const opened = [record("single", 1, {}), record("bulk", 1, { capabilities: CAN_BULK })];
    for (const queueRecord of opened) fixture.hub.open(queueRecord);
    fixture.hub.publish([fixture.event("delete", [1], {}, 3)]);
    await fixture.settle();
    fixture.ids("single", 2);
    fixture.ids("bulk", 3);
    fixture.restart(fixture.hub.dirty());
    expect(fixture.ids("single", 2)).toEqual([3]);
    expect(fixture.ids("bulk", 3)).toEqual([]);
  });

  test("closes a queue that would overflow", () => {
    for (let n = 0; n <= QUEUE_EVENTS_MAX; n++) fixture.event("n", [1]);
    fixture.restart([record("behind", 1, {}), record("near", 1, { acknowledged: 1 })]);
    expect(fixture.hub.takeRemoved()).toEqual(["behind"]);
    expect(fixture.rows("near")).toHaveLength(QUEUE_EVENTS_MAX);
  });

  test("a queue has its whole timeout again", () => {
    fixture.open("q", 1);
    const records = freeze(fixture.hub);
    fixture.clock.at += 10_000_000;
    fixture.restart(records);
    expect(fixture.queue("q").lastActive).toBe(fixture.clock.at);
  });
});

test("a checkpoint names each changed queue once, and none that is gone", async () => {
  for (const name of ["a", "b", "c"]) fixture.open(name, 1);
  fixture.emit("n", [1]);
  fixture.emit("n", [1]);
  await fixture.settle();
  fixture.ids("a", 1);
  fixture.ids("a", 2);
  fixture.ids("b", 0);
  fixture.ids("c", 1);
  fixture.hub.close("c");
  const queueSummary = ({ queue_id, acknowledged, pending }: QueueRecord) => [
    queue_id,
    acknowledged,
    pending,
  ];
  expect(fixture.hub.dirty().map(queueSummary)).toEqual([["a", 2, null]]);
  expect(fixture.hub.dirty()).toEqual([]);
  expect(fixture.hub.takeRemoved()).toEqual(["c"]);
  expect(fixture.hub.takeRemoved()).toEqual([]);
});
