// Closes what tests share after the last test of the process, and what one test opened after it.
import { afterAll, afterEach, beforeEach } from "bun:test";

type Close = () => Promise<void>;

const closing: Close[] = [];
const closingAfterTest: Close[] = [];
let isInTest = false;

export function atEnd(close: Close): void {
  closing.push(close);
}

/** After the test that runs now. What a file opens for all its tests is left to that file. */
export function atEndOfTest(close: Close): void {
  if (isInTest) closingAfterTest.push(close);
}

// As this is preloaded, it begins before the hooks of a test file and ends after them.
beforeEach(() => {
  isInTest = true;
});

afterEach(async () => {
  isInTest = false;
  await Promise.all(closingAfterTest.splice(0).map((close) => close()));
});

afterAll(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});
