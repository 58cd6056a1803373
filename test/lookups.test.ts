// Names chosen by users never match members of every object, such as `constructor`.
import { describe, expect, test } from "bun:test";
import { ownValue } from "../src/text/input/own-value.ts";
import { narrowOf } from "../src/text/narrow-fragment.ts";
import { fragmentOf, viewOf } from "../src/web/views.ts";
import { tablesIn, uncheckedLookups } from "./house/lookups.ts";
import { refuse, type Source, sources } from "./house/source.ts";

const NAMES = [...Object.getOwnPropertyNames(Object.prototype), "__proto__"];
const names = { channel: () => undefined, person: () => undefined };

/** Their keys are names that Skein itself defines: commands, record kinds, image formats. */
const WITHOUT_USERS = /^src\/(pictures|contract)\//;

test("looks up names in tables only with ownValue, Object.hasOwn or a Map", () => {
  const files = sources("src/**/*.{ts,tsx}").filter(({ path }) => !WITHOUT_USERS.test(path));
  const tables = tablesIn(files);
  expect(tables.size).toBeGreaterThan(50);
  refuse(files.flatMap((file) => uncheckedLookups(file, tables)));
});

describe("the rule about lookups", () => {
  const file = (body: string): Source => {
    const text = `const T: Readonly<Record<string, number>> = { a: 1 };\n${body}\n`;
    return { path: "x.ts", text, lines: text.split("\n") };
  };
  const countUnchecked = (body: string) =>
    uncheckedLookups(file(body), tablesIn([file(body)])).length;

  test.each(["f(T[name]);", "f(name in T);", "f(T[name as keyof typeof T]);", "f(T[`${name}`]);"])(
    "refuses %s",
    (body) => expect(countUnchecked(body)).toBe(1),
  );
  test.each([
    'f(T["a"]);',
    "f(ownValue(T, name));",
    "f(Object.hasOwn(T, name) ? T[name] : 0);",
    "for (const name in T) f(name);",
    "// T[name]",
  ])("accepts %s", (body) => expect(countUnchecked(body)).toBe(0));
});

test.each(NAMES)("%s is not a key of a table", (name) => {
  expect(ownValue({ a: 1 }, name)).toBeUndefined();
});

test.each(NAMES)("#narrow/%s/x is a search by an unknown operator", (name) => {
  expect(narrowOf(`${name}/x`)).toEqual([{ operator: name, operand: "x", negated: false }]);
  const view = viewOf(`#narrow/${name}/x`);
  expect(fragmentOf(view, names)).toBe(`#narrow/${name}/x`);
});

test.each(NAMES)("#%s is an unknown address", (name) => {
  expect(viewOf(`#${name}`)).toEqual({ kind: "unknown", fragment: name });
});
