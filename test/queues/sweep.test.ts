// Heartbeats and the expiry of idle queues, with a controlled clock.
import { beforeEach, describe, expect, test } from "bun:test";
import { sweep } from "../../src/queues/sweep.ts";
import { rowsOf, HubFixture } from "./hub-fixture.ts";

const SECOND = 1_000;

let fixture: HubFixture;
beforeEach(() => {
  fixture = new HubFixture();
});

describe("a heartbeat", () => {
  const chances: [chance: number, due: number][] = [
    [0, 45 * SECOND],
    [0.5, 50 * SECOND],
    [0.9, 54 * SECOND],
  ];
  test.each(chances)("is sent to an open poll (chance %d: after %d ms)", async (random, due) => {
    fixture = new HubFixture({ random: () => random });
    fixture.open("q", 1, { event_types: ["message"] });
    const poll = fixture.poll("q");
    sweepAfter(due - 1);
    await fixture.settle();
    expect(fixture.hub.counts.parked).toBe(1);
    sweepAfter(1);
    sweepAfter(0);
    expect(rowsOf(await poll)).toEqual([{ type: "heartbeat", id: 1 }]);
    expect(fixture.ids("q", 0)).toEqual([1]);
    expect(fixture.ids("q", 1)).toEqual([]);
  });

  test("sends no heartbeat to other queues", async () => {
    fixture.open("held", 1);
    fixture.open("idle", 1);
    const poll = fixture.poll("held");
    sweepAfter(50 * SECOND);
    await poll;
    expect(fixture.rows("idle")).toEqual([]);
  });

  test("waits until an id in order can be assigned", async () => {
    fixture.open("q", 1);
    const poll = fixture.poll("q");
    fixture.isBusy = true;
    sweepAfter(60 * SECOND);
    await fixture.settle();
    expect(fixture.hub.counts.parked).toBe(1);
    fixture.isBusy = false;
    sweepAfter(1 * SECOND);
    expect(rowsOf(await poll)).toHaveLength(1);
  });

  test("follows earlier events that wait for distribution", async () => {
    fixture.open("q", 1);
    const poll = fixture.poll("q");
    fixture.emit("n", [1]);
    sweepAfter(60 * SECOND);
    expect(rowsOf(await poll).map((row) => row.type)).toEqual(["n", "heartbeat"]);
  });
});

describe("an idle queue", () => {
  test("expires after its timeout, counted from the end of its last poll", async () => {
    fixture.open("q", 1, { idle_timeout_secs: 100 });
    sweepAfter(99 * SECOND);
    fixture.rows("q");
    sweepAfter(99 * SECOND);
    expect(fixture.hub.takeRemoved()).toEqual([]);
    const poll = fixture.poll("q");
    sweepAfter(10 * SECOND);
    fixture.emit("n", [1]);
    await poll;
    sweepAfter(99 * SECOND);
    expect(fixture.hub.takeRemoved()).toEqual([]);
    sweepAfter(1 * SECOND);
    expect(fixture.hub.takeRemoved()).toEqual(["q"]);
    expect(fixture.hub.find("q", 1)).toBeUndefined();
  });

  test("expires after the last heartbeat when its poll's client is gone", async () => {
    fixture.open("q", 1, { idle_timeout_secs: 100 });
    void fixture.poll("q");
    sweepAfter(50 * SECOND);
    await fixture.settle();
    expect(fixture.hub.counts.parked).toBe(0);
    sweepAfter(99 * SECOND);
    expect(fixture.hub.takeRemoved()).toEqual([]);
    sweepAfter(1 * SECOND);
    expect(fixture.hub.takeRemoved()).toEqual(["q"]);
  });

  test("does not expire during an open poll", () => {
    fixture.open("q", 1, { idle_timeout_secs: 10 });
    void fixture.poll("q");
    fixture.isBusy = true;
    sweepAfter(1_000 * SECOND);
    expect(fixture.hub.counts.queues).toBe(1);
  });

  test("expires by its own timeout, events or not", async () => {
    fixture.open("short", 1, { idle_timeout_secs: 10 });
    fixture.open("long", 1, { idle_timeout_secs: 20 });
    fixture.emit("n", [1]);
    await fixture.settle();
    sweepAfter(10 * SECOND);
    expect(fixture.hub.takeRemoved()).toEqual(["short"]);
    sweepAfter(10 * SECOND);
    expect(fixture.hub.takeRemoved()).toEqual(["long"]);
  });
});

function sweepAfter(milliseconds: number) {
  fixture.clock.at += milliseconds;
  sweep(fixture.hub);
}
