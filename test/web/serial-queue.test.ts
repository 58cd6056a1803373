// The serial queue continues after errors, and stops if the user has to decide.
import { afterEach, expect, spyOn, test } from "bun:test";
import { HOUR_MS } from "../../src/contract/units.ts";
import { NoResponse } from "../../src/web/api/http.ts";
import { ApiError } from "../../src/web/contract/api-error.ts";
import { SerialQueue, Sequence } from "../../src/web/sync/mutations/serial-queue.ts";

const reported = spyOn(globalThis, "reportError").mockImplementation(() => {});
afterEach(() => reported.mockClear());

/** Runs a job that fails with these errors before it succeeds; returns the pauses in between. */
async function pausesOf(...errors: Error[]): Promise<{ pauses: number[]; failed: unknown[] }> {
  const [pauses, failed]: [number[], unknown[]] = [[], []];
  let action: (() => void) | undefined;
  const after = (ms: number, next: () => void) => {
    pauses.push(ms);
    action = next;
    return () => (action = undefined);
  };
  const results = [...errors, undefined];
  const job = async () => {
    const error = results.shift();
    if (error) throw error;
  };
  const world = { now: () => 0, random: () => 1, after };
  const next = () => (results.length > 0 ? job : undefined);
  const queue = new SerialQueue(world, next, (error) => failed.push(error));
  queue.flushNow();
  await Bun.sleep(0);
  for (; action; await Bun.sleep(0)) {
    const due: () => void = action;
    action = undefined;
    due();
  }
  return { pauses, failed };
}

test("retries after growing pauses, and no sooner than the server asks", async () => {
  const { pauses, failed } = await pausesOf(new NoResponse("away"), new NoResponse("busy", 5_000));
  expect(pauses).toEqual([1_000, 5_000]);
  expect(failed).toEqual([]);
  expect(reported).not.toHaveBeenCalled();
});

test("reports a bug of the client, and retries as after a lost request", async () => {
  const fault = new TypeError("it cannot be drawn");
  const { pauses } = await pausesOf(fault, fault);
  expect(pauses).toEqual([1_000, 2_000]);
  expect(reported.mock.calls).toEqual([[fault], [fault]]);
});

test("does not retry by the timer when the session has ended", async () => {
  const ended = new ApiError(401, "UNAUTHORIZED", "Not signed in", {});
  const { pauses, failed } = await pausesOf(ended);
  expect(pauses[0]).toBeGreaterThan(HOUR_MS);
  expect(failed).toEqual([ended]);
  expect(reported).not.toHaveBeenCalled();
});

test("gives places after all that earlier pages have used", () => {
  const sequence = new Sequence();
  expect([sequence.next(), sequence.next()]).toEqual([1, 2]);
  sequence.record(9);
  sequence.record(4);
  expect(sequence.next()).toBe(10);
});
