// The result of work, or another one if the work takes too long.
import { expect, test } from "bun:test";
import { withTimeout } from "../../src/async/with-timeout.ts";

const never = new Promise<never>(() => {});

function tooSlow(): never {
  throw new Error("too slow");
}

test("returns the result or the error of work that ends in time", async () => {
  expect(await withTimeout(Promise.resolve("done"), 60_000, tooSlow)).toBe("done");
  const failing = withTimeout(Promise.reject(new Error("a fault")), 60_000, tooSlow);
  await expect(failing).rejects.toThrow("a fault");
});

test("returns the result or the error of the timeout if work does not end", async () => {
  expect(await withTimeout(never, 1, () => "late")).toBe("late");
  await expect(withTimeout(never, 1, tooSlow)).rejects.toThrow("too slow");
});

test("calls nothing after work that ends in time", async () => {
  let isCalled = false;
  await withTimeout(Promise.resolve(), 0, () => (isCalled = true));
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(isCalled).toBe(false);
});
