// Heartbeats and the expiry of idle queues, with a controlled clock.
import { beforeEach, describe, expect, test } from "bun:test";
import { sweep } from "../../src/queues/sweep.ts";
import { rowsOf, HubFixture } from "./hub-fixture.ts";

const SECOND = 1_000;

let stage: HubFixture;
beforeEach(() => {
  stage = new HubFixture();
});

describe("a heartbeat", () => {
  const chances: [chance: number, due: number][] = [
    [0, 45 * SECOND],
    [0.5, 50 * SECOND],
    [0.9, 54 * SECOND],
  ];
  test.each(chances)("is sent to an open poll (chance %d: after %d ms)", async (random, due) => {
    stage = new HubFixture({ random: () => random });
    stage.open("q", 1, { event_types: ["message"] });
    const poll = stage.poll("q");
    sweepAfter(due - 1);
    await stage.settle();
    expect(stage.hub.counts.parked).toBe(1);
    sweepAfter(1);
    sweepAfter(0);
    expect(rowsOf(await poll)).toEqual([{ type: "heartbeat", id: 1 }]);
    expect(stage.ids("q", 0)).toEqual([1]);
    expect(stage.ids("q", 1)).toEqual([]);
  });

  test("sends no heartbeat to other queues", async () => {
    stage.open("held", 1);
    stage.open("idle", 1);
    const poll = stage.poll("held");
    sweepAfter(50 * SECOND);
    await poll;
    expect(stage.rows("idle")).toEqual([]);
  });

  test("waits for an id that keeps the order", async () => {
    stage.open("q", 1);
    const poll = stage.poll("q");
    stage.isBusy = true;
    sweepAfter(60 * SECOND);
    await stage.settle();
    expect(stage.hub.counts.parked).toBe(1);
    stage.isBusy = false;
    sweepAfter(1 * SECOND);
    expect(rowsOf(await poll)).toHaveLength(1);
  });

  test("follows earlier events in line", async () => {
    stage.open("q", 1);
    const poll = stage.poll("q");
    stage.emit("n", [1]);
    sweepAfter(60 * SECOND);
    expect(rowsOf(await poll).map((row) => row.type)).toEqual(["n", "heartbeat"]);
  });
});

describe("an idle queue", () => {
  test("expires after its timeout, counted from the end of its last poll", async () => {
    stage.open("q", 1, { idle_timeout_secs: 100 });
    sweepAfter(99 * SECOND);
    stage.rows("q");
    sweepAfter(99 * SECOND);
    expect(stage.hub.takeRemoved()).toEqual([]);
    const poll = stage.poll("q");
    sweepAfter(10 * SECOND);
    stage.emit("n", [1]);
    await poll;
    sweepAfter(99 * SECOND);
    expect(stage.hub.takeRemoved()).toEqual([]);
    sweepAfter(1 * SECOND);
    expect(stage.hub.takeRemoved()).toEqual(["q"]);
    expect(stage.hub.find("q", 1)).toBeUndefined();
  });

  test("expires after the last heartbeat when its poll's client is gone", async () => {
    stage.open("q", 1, { idle_timeout_secs: 100 });
    void stage.poll("q");
    sweepAfter(50 * SECOND);
    await stage.settle();
    expect(stage.hub.counts.parked).toBe(0);
    sweepAfter(99 * SECOND);
    expect(stage.hub.takeRemoved()).toEqual([]);
    sweepAfter(1 * SECOND);
    expect(stage.hub.takeRemoved()).toEqual(["q"]);
  });

  test("does not expire during an open poll", () => {
    stage.open("q", 1, { idle_timeout_secs: 10 });
    void stage.poll("q");
    stage.isBusy = true;
    sweepAfter(1_000 * SECOND);
    expect(stage.hub.counts.queues).toBe(1);
  });

  test("expires by its own timeout, events or not", async () => {
    stage.open("short", 1, { idle_timeout_secs: 10 });
    stage.open("long", 1, { idle_timeout_secs: 20 });
    stage.emit("n", [1]);
    await stage.settle();
    sweepAfter(10 * SECOND);
    expect(stage.hub.takeRemoved()).toEqual(["short"]);
    sweepAfter(10 * SECOND);
    expect(stage.hub.takeRemoved()).toEqual(["long"]);
  });
});

function sweepAfter(milliseconds: number) {
  stage.clock.at += milliseconds;
  sweep(stage.hub);
}
