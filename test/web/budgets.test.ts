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

test("what the first view is made of needs no rule of the later style sheet", async () => {
  const files = await builtClient();
  const text = ({ bytes }: BuiltFile) => new TextDecoder().decode(bytes);
  const later = files.find(({ path }) => path.startsWith("/assets/later-"))!;
  const own = new Set(
    [...text(later).matchAll(/\.((?:settings|org|founding)-[\w-]+)/g)].map(([, one]) => one!),
  );
  expect(own.size).toBeGreaterThan(20);
  const scripts = files.filter(({ path, isBoot }) => isBoot && path.endsWith(".js"));
  const said = scripts.flatMap((script) => [...text(script).matchAll(/\bclass:["`]([^"`]+)/g)]);
  expect(said.length).toBeGreaterThan(50);
  const named = said.flatMap(([, names]) => names!.split(/[^\w-]+/));
  expect(named.filter((name) => own.has(name))).toEqual([]);
});

test("what a page fetches after its first view comes in few files", async () => {
  const files = new Map((await builtClient()).map((file) => [file.path, file]));
  const all = new Set<string>();
  const add = (path: string): void => {
    if (all.has(path) || files.get(path)!.isBoot) return;
    all.add(path);
    const text = new TextDecoder().decode(files.get(path)!.bytes);
    for (const [, next] of text.matchAll(/(?:from|import)"\.(\/[^"]+)"/g)) {
      add(`/assets${next}`);
    }
  };
  for (const name of ["late", "loaded"]) {
    add([...files.keys()].find((path) => path.startsWith(`/assets/${name}-`))!);
  }
  expect(all.size).toBeGreaterThan(2);
  // Two of their own, and two of what they share with others.
  expect(all.size).toBeLessThanOrEqual(4);
});

test("scripts name each other by no more than it takes, and each is there", async () => {
  const scripts = (await builtClient()).filter(({ path }) => path.endsWith(".js"));
  const there = new Set(scripts.map(({ path }) => path));
  const named = scripts.flatMap(({ bytes }) =>
    [...new TextDecoder().decode(bytes).matchAll(/"(?:\.|\/assets)(\/[\w-]+\.js)"/g)].map(
      ([, name]) => `/assets${name}`,
    ),
  );
  expect(named.length).toBeGreaterThan(300);
  expect(named.filter((path) => !there.has(path))).toEqual([]);
  const inAssets = [...there].filter((path) => path.startsWith("/assets/"));
  expect(inAssets.filter((path) => !/-[0-9a-z]{6}\.js$/.test(path))).toEqual([]);
});

test("a client that is larger is refused, and told by how much", () => {
  const bytes = noise(65_536);
  const script = { type: "", etag: "", bytes, isBoot: true };
  const files: BuiltFile[] = ["a", "b"].map((name) => ({ ...script, path: `/assets/${name}.js` }));
  expect(() => checkBudgets(sizesOf(files))).toThrow(TooLarge);
  expect(() => checkBudgets(sizesOf(files))).toThrow(`of ${BUDGETS.boot} bytes`);
});
