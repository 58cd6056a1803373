// Size budgets of the client: if it exceeds them, the build fails.
import { expect, test } from "bun:test";
import {
  BUDGETS,
  checkBudgets,
  LAZY_BUDGETS,
  lazySizes,
  type Sizes,
  sizesOf,
  TooLarge,
} from "../../src/assets/budgets.ts";
import type { BuiltFile } from "../../src/assets/build.ts";
import { builtClient } from "../built-client.ts";
import { noise } from "../random.ts";

test("scripts and styles keep to their budgets, compressed", async () => {
  const files = await builtClient();
  const sizes = sizesOf(files);
  expect(sizes.boot).toBeGreaterThan(5000);
  expect(sizes.styles).toBeGreaterThan(0);
  const used = Object.entries(BUDGETS).map(([name, max]) => {
    return `${name} ${sizes[name as keyof Sizes]} of ${max}`;
  });
  console.log(`client, compressed bytes: ${used.join(", ")}`);
  checkBudgets(sizes);
});

test("the first script exports its variables under their own names", async () => {
  const [first] = (await builtClient()).filter(({ path }) => path.startsWith("/assets/main-"));
  const [, exported] = /export\{([^{}]*)\};$/.exec(new TextDecoder().decode(first!.bytes))!;
  const names = exported!.split(",");
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name) => !/^[\w$]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test("the first view comes without the names that the sanitizer allows by default", async () => {
  const scripts = (await builtClient()).filter(({ path, isBoot }) => isBoot && /\.js$/.test(path));
  const texts = scripts.map(({ bytes }) => new TextDecoder().decode(bytes)).join("\n");
  // The sanitizer's default lists contain these attributes of SVG and forms; no message has them.
  for (const name of ["accent-height", "autocapitalize"]) expect(texts).not.toContain(`"${name}"`);
  // Elements that the sanitizer must know to tell SVG and MathML from HTML.
  for (const name of ["feBlend", "annotation-xml"]) expect(texts).toContain(`"${name}"`);
});

test("parts that load at their first use keep to their budgets, compressed", async () => {
  const sizes = lazySizes(await builtClient());
  for (const [name, budget] of Object.entries(LAZY_BUDGETS)) {
    const size = sizes.get(name) ?? 0;
    console.log(`${name} ${size} of ${budget} bytes`);
    expect([name, size > 500]).toEqual([name, true]);
    expect([name, size <= budget]).toEqual([name, true]);
  }
});

test("the first view needs no rule of the deferred style sheet", async () => {
  const files = await builtClient();
  const text = ({ bytes }: BuiltFile) => new TextDecoder().decode(bytes);
  const later = files.find(({ path }) => path.startsWith("/assets/later-"))!;
  const own = new Set(
    [...text(later).matchAll(/\.((?:settings|org|onboarding)-[\w-]+)/g)].map(([, item]) => item!),
  );
  expect(own.size).toBeGreaterThan(20);
  const scripts = files.filter(({ path, isBoot }) => isBoot && path.endsWith(".js"));
  const matches = scripts.flatMap((script) => [...text(script).matchAll(/\bclass:["`]([^"`]+)/g)]);
  expect(matches.length).toBeGreaterThan(50);
  const named = matches.flatMap(([, names]) => names!.split(/[^\w-]+/));
  expect(named.filter((name) => own.has(name))).toEqual([]);
});

test("loads few files after the first view", async () => {
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
  for (const name of ["deferred", "composer-parts"]) {
    add([...files.keys()].find((path) => path.startsWith(`/assets/${name}-`))!);
  }
  expect(all.size).toBeGreaterThan(2);
  // The two scripts themselves, and at most two chunks that they share with others.
  expect(all.size).toBeLessThanOrEqual(4);
});

test("scripts import only what they need, and every import exists", async () => {
  const scripts = (await builtClient()).filter(({ path }) => path.endsWith(".js"));
  const there = new Set(scripts.map(({ path }) => path));
  const names = scripts.flatMap(({ bytes }) =>
    [...new TextDecoder().decode(bytes).matchAll(/"(?:\.|\/assets)(\/[\w-]+\.js)"/g)].map(
      ([, name]) => `/assets${name}`,
    ),
  );
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((path) => !there.has(path))).toEqual([]);
  const inAssets = [...there].filter((path) => path.startsWith("/assets/"));
  expect(inAssets.filter((path) => !/-[0-9a-z]{6}\.js$/.test(path))).toEqual([]);
});

test("rejects a build that is too large, and names the excess", () => {
  const bytes = noise(65_536);
  const script = { type: "", etag: "", bytes, isBoot: true };
  const files: BuiltFile[] = ["a", "b"].map((name) => ({ ...script, path: `/assets/${name}.js` }));
  expect(() => checkBudgets(sizesOf(files))).toThrow(TooLarge);
  expect(() => checkBudgets(sizesOf(files))).toThrow(`of ${BUDGETS.boot} bytes`);
});
