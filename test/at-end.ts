// What the tests of a process share is closed when all of them are over.
import { afterAll } from "bun:test";

const closing: (() => Promise<void>)[] = [];

export function atEnd(close: () => Promise<void>): void {
  closing.push(close);
}

afterAll(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});
