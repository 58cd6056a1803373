// The ring buffer, compared with a plain array.
import { expect, test } from "bun:test";
import { Ring } from "../../src/queues/ring.ts";
import { seededRandom } from "./hub-fixture.ts";

test("a ring is a queue for any pushes and shifts", () => {
  const random = seededRandom(7);
  const ring = new Ring<number>();
  const line: number[] = [];
  for (let step = 0; step < 20_000; step++) {
    // Alternates between growing and shrinking, so that the ring becomes empty and is resized
    // often.
    const growing = Math.floor(step / 700) % 2 === 0;
    if (random() < (growing ? 0.6 : 0.4)) {
      ring.push(step);
      line.push(step);
    } else {
      expect(ring.shift()).toBe(line.shift());
    }
    if (random() < 0.0005) {
      ring.clear();
      line.length = 0;
    }
    expect([ring.count, ring.oldest, ring.newest]).toEqual([line.length, line[0], line.at(-1)]);
    const index = Math.floor(random() * (line.length + 2)) - 1;
    expect(ring.at(index)).toBe(index < 0 ? undefined : line[index]);
  }
  expect(line.length).toBeGreaterThan(0);
});
