// Queues after a clean stop and after a crash.
import { beforeEach, describe, expect, test } from "bun:test";
import { QUEUE_EVENTS_MAX } from "../../src/queues/queue.ts";
import { freeze } from "../../src/queues/restore.ts";
import type { QueueRecord } from "../../src/schema/records.ts";
import { CAN_BULK, record, HubFixture } from "./hub-fixture.ts";

let stage: HubFixture;
beforeEach(() => {
  stage = new HubFixture();
});

describe("after a clean stop", () => {
  test("a queue has its waiting events, ephemeral ones too, but no heartbeat", async () => {
    stage.open("q", 1);
    stage.open("r", 2);
    stage.emit("a", [1]);
    stage.hub.publish([stage.event("typing", "all", { mine: true }, 1, false)]);
    stage.emit("b", "all");
    await stage.settle();
    const before = { q: stage.poll("q", 1, true), r: stage.poll("r", -1, true) };
    stage.hub.sendTo({ ...stage.event("heartbeat", [1], {}, 1, false) }, [stage.queue("q")]);
    stage.restart(freeze(stage.hub));
    expect({ q: stage.poll("q", 1, true), r: stage.poll("r", -1, true) }).toEqual(before);
  });

  test("delivers what was still in line", () => {
    stage.open("q", 1);
    stage.emit("a", [1]);
    stage.hub.publish([stage.event("typing", [1], {}, 1, false)]);
    stage.restart(freeze(stage.hub));
    expect(stage.ids("q")).toEqual([1, 2]);
  });

  test("takes events after an outdated list from the log", async () => {
    stage.open("q", 1);
    stage.emit("a", [1]);
    const records = freeze(stage.hub);
    stage.restart(records);
    stage.emit("b", [1]);
    stage.emit("not mine", [2]);
    stage.restart(records);
    expect(stage.rows("q").map((row) => row.type)).toEqual(["a", "b"]);
  });

  test("new events follow the old, with greater ids", async () => {
    stage.open("q", 1);
    stage.emit("a", [1]);
    stage.restart(freeze(stage.hub));
    stage.emit("b", [1]);
    await stage.settle();
    expect(stage.ids("q")).toEqual([1, 102]);
    expect(stage.ids("q", 102)).toEqual([]);
  });

  test("skips trimmed log entries of an outdated list", async () => {
    stage.open("q", 1);
    stage.emit("a", [1]);
    stage.emit("b", [1]);
    const records = freeze(stage.hub);
    stage.restart(records);
    expect(stage.ids("q", 1)).toEqual([2]);
    stage.log = stage.log.filter((queuedEvent) => queuedEvent.seq > stage.hub.oldestNeeded());
    expect(stage.log.map((queuedEvent) => queuedEvent.seq)).toEqual([2]);
    stage.restart(records);
    expect(stage.ids("q", 1)).toEqual([2]);
  });
});

describe("after a crash", () => {
  test("a queue has the log's events after its checkpoint", async () => {
    const opened = [record("q", 1, {}), record("some", 1, { event_types: ["c"] })];
    for (const queueRecord of opened) stage.hub.open(queueRecord);
    stage.emit("a", [1]);
    stage.emit("b", [1]);
    await stage.settle();
    stage.ids("q", 1);
    const checkpoint = [...stage.hub.dirty(), opened[1]!];
    stage.hub.publish([stage.event("typing", [1], {}, 1, false)]);
    stage.emit("c", "all");
    stage.emit("other", [2]);
    stage.restart(checkpoint);
    expect(stage.rows("q", 1).map((row) => row.type)).toEqual(["b", "c"]);
    expect(stage.rows("some").map((row) => row.type)).toEqual(["c"]);
  });

  test("a client ahead of the checkpoint continues", async () => {
    const opened = record("q", 1, {});
    stage.hub.open(opened);
    for (let n = 0; n < 3; n++) stage.emit("n", [1]);
    stage.hub.publish([stage.event("typing", [1], {}, 1, false)]);
    await stage.settle();
    expect(stage.ids("q")).toEqual([1, 2, 3, 4]);
    stage.restart([opened]);
    expect(stage.ids("q", 4)).toEqual([]);
    stage.emit("n", [1]);
    await stage.settle();
    expect(stage.ids("q", 4)).toEqual([105]);
  });

  test("does not repeat the acknowledged half of a wide event", async () => {
    const opened = [record("single", 1, {}), record("bulk", 1, { capabilities: CAN_BULK })];
    for (const queueRecord of opened) stage.hub.open(queueRecord);
    stage.hub.publish([stage.event("delete", [1], {}, 3)]);
    await stage.settle();
    stage.ids("single", 2);
    stage.ids("bulk", 3);
    stage.restart(stage.hub.dirty());
    expect(stage.ids("single", 2)).toEqual([3]);
    expect(stage.ids("bulk", 3)).toEqual([]);
  });

  test("closes a queue that would overflow", () => {
    for (let n = 0; n <= QUEUE_EVENTS_MAX; n++) stage.event("n", [1]);
    stage.restart([record("behind", 1, {}), record("near", 1, { acknowledged: 1 })]);
    expect(stage.hub.takeRemoved()).toEqual(["behind"]);
    expect(stage.rows("near")).toHaveLength(QUEUE_EVENTS_MAX);
  });

  test("a queue has its whole timeout again", () => {
    stage.open("q", 1);
    const records = freeze(stage.hub);
    stage.clock.at += 10_000_000;
    stage.restart(records);
    expect(stage.queue("q").lastActive).toBe(stage.clock.at);
  });
});

test("a checkpoint names each changed queue once, and none that is gone", async () => {
  for (const name of ["a", "b", "c"]) stage.open(name, 1);
  stage.emit("n", [1]);
  stage.emit("n", [1]);
  await stage.settle();
  stage.ids("a", 1);
  stage.ids("a", 2);
  stage.ids("b", 0);
  stage.ids("c", 1);
  stage.hub.close("c");
  const queueSummary = ({ queue_id, acknowledged, pending }: QueueRecord) => [
    queue_id,
    acknowledged,
    pending,
  ];
  expect(stage.hub.dirty().map(queueSummary)).toEqual([["a", 2, null]]);
  expect(stage.hub.dirty()).toEqual([]);
  expect(stage.hub.takeRemoved()).toEqual(["c"]);
  expect(stage.hub.takeRemoved()).toEqual([]);
});
