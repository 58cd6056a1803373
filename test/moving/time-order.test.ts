// Sorts messages by time on disk, with few of them in memory at a time whatever their times are.
import { expect, test } from "bun:test";
import { Spool } from "../../src/features/moving/archive/spool.ts";
import {
  inTimeOrder,
  type Timed,
  TimeRange,
  tsOf,
} from "../../src/features/moving/source/time-order.ts";
import { onEndOfTest } from "../cleanup.ts";

const LENGTH_MAX = 10_000;
const START_MS = 1_500_000_000_000;
const TEXT = "words ".repeat(20);

const timedMessage = (time: number, index: number): Timed => ({
  ...{ time, key: "C", location: `#${index}` },
  message: { ts: tsOf(time), text: `${index} ${TEXT}` },
});

/** Sorts messages of these times. Returns them and the length of the longest bucket in memory. */
async function sortMessages(
  times: readonly number[],
): Promise<{ results: Timed[]; longest: number }> {
  const { read } = Spool.prototype;
  let longest = 0;
  Spool.prototype.read = async function (bucket) {
    longest = Math.max(longest, this.lengthOf(bucket));
    return read.call(this, bucket);
  };
  onEndOfTest(async () => {
    Spool.prototype.read = read;
  });
  const range = new TimeRange();
  for (const time of times) range.record(time);
  async function* messages() {
    for (const [index, time] of times.entries()) yield timedMessage(time, index);
  }
  const found: Timed[] = [];
  for await (const row of inTimeOrder("messages", range, messages(), LENGTH_MAX)) found.push(row);
  return { results: found, longest };
}

test.each([
  ["a message of 2001", [1e12]],
  ["a message of 2286", [1e13 - 1]],
  ["both", [1e13 - 1, 1e12]],
])("sorts the messages of a day beside %s in little memory", async (_title, others) => {
  const times = Array.from(
    { length: 4_000 },
    (_, index) => START_MS + ((index * 7_919) % 4_001) * 20,
  );
  const all = [...times.slice(0, 9), ...others, ...times.slice(9), times[0]!];
  const { results: found, longest } = await sortMessages(all);
  expect(found.map(({ time }) => time)).toEqual(all.toSorted((a, b) => a - b));
  // Messages of the same time keep their order.
  const same = found.filter(({ time }) => time === times[0]);
  expect(same.map(({ location }) => location)).toEqual(["#0", `#${all.length - 1}`]);
  expect(longest).toBeLessThanOrEqual(LENGTH_MAX);
});

test("sorts many messages of one time", async () => {
  const { results: found } = await sortMessages(Array.from({ length: 500 }, () => START_MS));
  expect(found.map(({ location }) => location)).toEqual(found.map((_, index) => `#${index}`));
});
