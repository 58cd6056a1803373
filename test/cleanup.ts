// Closes resources after the tests: shared ones at the end of the process, others after their test.
import { afterAll, afterEach, beforeEach } from "bun:test";

type Close = () => Promise<void>;

/** A test that takes longer probably hangs; its log then says what its pages show. */
const HANG_MS = 75_000;

const closing: Close[] = [];
const closingAfterTest: Close[] = [];
const reporters: Close[] = [];
let isInTest = false;
let hanging: Timer | undefined;

/** Calls it for each test that seems to hang, while it still waits. */
export function onHang(report: Close): void {
  reporters.push(report);
}

export function onEnd(close: Close): void {
  closing.push(close);
}

/**
 * Closes it after the current test, or after the last test of the file if opened outside of one.
 */
export function onEndOfTest(close: Close): void {
  if (isInTest) closingAfterTest.push(close);
}

// This module is preloaded, so these hooks belong to no test file. The bench has no hooks.
if (process.env["NODE_ENV"] === "test") {
  beforeEach(() => {
    isInTest = true;
    hanging = setTimeout(() => reporters.forEach((report) => void report()), HANG_MS);
    hanging.unref();
  });

  afterEach(async () => {
    isInTest = false;
    clearTimeout(hanging);
    await Promise.all(closingAfterTest.splice(0).map((close) => close()));
  });

  afterAll(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
  });
}
