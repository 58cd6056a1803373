// How large the client is: more than the budgets, and the build fails.
import { expect, test } from "bun:test";
import { BUDGETS, checkBudgets, sizesOf, TooLarge } from "../../src/assets/budgets.ts";
import type { BuiltFile } from "../../src/assets/build.ts";
import { builtClient } from "../client.ts";
import { noise } from "../seed.ts";

test("scripts and styles keep to their budgets, compressed", async () => {
  const files = await builtClient();
  const sizes = sizesOf(files);
  expect(sizes.boot).toBeGreaterThan(5000);
  expect(sizes.styles).toBeGreaterThan(0);
  checkBudgets(sizes);
});

test("a client that is larger is refused, and told by how much", () => {
  const bytes = noise(65_536);
  const script = { type: "", etag: "", bytes, isBoot: true };
  const files: BuiltFile[] = ["a", "b"].map((name) => ({ ...script, path: `/assets/${name}.js` }));
  expect(() => checkBudgets(sizesOf(files))).toThrow(TooLarge);
  expect(() => checkBudgets(sizesOf(files))).toThrow(`of ${BUDGETS.boot} bytes`);
});
