// Waiting requests continue after errors, and stop if the user is needed.
import { afterEach, expect, spyOn, test } from "bun:test";
import { HOUR_MS } from "../../src/contract/units.ts";
import { Refused, Unanswered } from "../../src/web/api/http.ts";
import { Line, Order } from "../../src/web/sync/line.ts";

const reported = spyOn(globalThis, "reportError").mockImplementation(() => {});
afterEach(() => reported.mockClear());

/** A line with one that fails in this way, until it is done; how long each rest was to be. */
async function restsOf(...errors: Error[]): Promise<{ rests: number[]; failed: unknown[] }> {
  const [rests, failed]: [number[], unknown[]] = [[], []];
  let act: (() => void) | undefined;
  const after = (ms: number, next: () => void) => {
    rests.push(ms);
    act = next;
    return () => (act = undefined);
  };
  const line = new Line({ now: () => 0, random: () => 1, after }, (error) => failed.push(error));
  const left = [...errors, undefined];
  const run = async () => {
    const error = left.shift();
    if (error) throw error;
  };
  line.add(() => (left.length > 0 ? { order: 1, run } : undefined));
  line.hurry();
  await Bun.sleep(0);
  for (; act; await Bun.sleep(0)) {
    const next: () => void = act;
    act = undefined;
    next();
  }
  return { rests, failed };
}

test("without an answer it goes on by the clock, ever later", async () => {
  const { rests, failed } = await restsOf(new Unanswered("away"), new Unanswered("busy", 5_000));
  expect(rests).toEqual([1_000, 5_000]);
  expect(failed).toEqual([]);
  expect(reported).not.toHaveBeenCalled();
});

test("a fault of ours is told, and stops nothing for longer than a lost network does", async () => {
  const fault = new TypeError("it cannot be drawn");
  const { rests } = await restsOf(fault, fault);
  expect(rests).toEqual([1_000, 2_000]);
  expect(reported.mock.calls).toEqual([[fault], [fault]]);
});

test("what only a person can mend is not asked for again by the clock", async () => {
  const ended = new Refused(401, "UNAUTHORIZED", "Not signed in", {});
  const { rests, failed } = await restsOf(ended);
  expect(rests[0]).toBeGreaterThan(HOUR_MS);
  expect(failed).toEqual([ended]);
  expect(reported).not.toHaveBeenCalled();
});

test("takes the least order of all sources first, whichever was added first", async () => {
  const line = new Line({ now: () => 0, random: () => 1, after: () => () => {} }, () => {});
  const ran: number[] = [];
  for (const orders of [[2, 5], [1, 4, 6], [3]]) {
    const run = async () => void ran.push(orders.shift()!);
    line.add(() => (orders.length > 0 ? { order: orders[0]!, run } : undefined));
  }
  line.hurry();
  for (let at = 0; at < 10; at++) await Bun.sleep(0);
  expect(ran).toEqual([1, 2, 3, 4, 5, 6]);
});

test("goes on behind all that earlier pages have ordered", () => {
  const order = new Order();
  expect([order.next(), order.next()]).toEqual([1, 2]);
  order.note(9);
  order.note(4);
  expect(order.next()).toBe(10);
});
