// The ring against a plain array.
import { expect, test } from "bun:test";
import { Ring } from "../../src/queues/ring.ts";
import { seeded } from "./stage.ts";

test("a ring is a line, whatever is pushed and shifted", () => {
  const random = seeded(7);
  const ring = new Ring<number>();
  const line: number[] = [];
  for (let step = 0; step < 20_000; step++) {
    // Drifts between growing and draining, so that it passes empty and several sizes often.
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
