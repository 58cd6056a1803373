// Closes resources after the tests: shared ones at the end of the process, others after their test.
import { afterAll, afterEach, beforeEach } from "bun:test";

type Close = () => Promise<void>;

const closing: Close[] = [];
const closingAfterTest: Close[] = [];
let isInTest = false;

export function atEnd(close: Close): void {
  closing.push(close);
}

/**
 * Closes it after the current test, or after the last test of the file if opened outside of one.
 */
export function atEndOfTest(close: Close): void {
  if (isInTest) closingAfterTest.push(close);
}

// This module is preloaded, so these hooks belong to no test file. The bench has no hooks.
if (process.env["NODE_ENV"] === "test") {
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
}
