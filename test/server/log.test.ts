/** The two formats of the log. */
import { expect, test } from "bun:test";
import { fieldsOf, openLog } from "../../src/server/log.ts";

test("the JSON format has one object per line", () => {
  const lines: string[] = [];
  const log = openLog({ log: "json" }, (line) => void lines.push(line));
  log.error("a request failed", { path: "/x", ...fieldsOf(new TypeError("broken\nin two")) });
  log.info("stopped");
  expect(lines.map((line) => line.endsWith("\n") && !line.slice(0, -1).includes("\n"))).toEqual([
    true,
    true,
  ]);
  const [first, second] = lines.map((line) => JSON.parse(line));
  expect(first).toMatchObject({ level: "error", message: "a request failed", path: "/x" });
  expect(first.error).toBe("TypeError: broken\nin two");
  expect(first.stack).toContain("log.test.ts");
  expect(Number.isNaN(Date.parse(second.time))).toBe(false);
});

test("the text format is readable, and client input never starts a line", () => {
  const lines: string[] = [];
  const log = openLog({ log: "text" }, (line) => void lines.push(line));
  log.warn("odd", { path: "/a\nb", none: undefined, count: 3 });
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}odd path="\/a\\nb" count=3\n$/);
  log.error("failed", fieldsOf("a bare word"));
  expect(lines[1]).toEndWith('error failed error="a bare word"\n');
});

test("includes the code of an error's cause", () => {
  const cause = Object.assign(new Error("no answer"), { code: "ConnectionRefused" });
  const read = (of: unknown) => fieldsOf(new Error("failed", { cause: of }))["cause"];
  expect([cause, "a word", null, undefined].map(read)).toEqual([
    "ConnectionRefused: Error: no answer",
    "a word",
    "null",
    undefined,
  ]);
});

test("logs nothing at the level off", () => {
  const lines: string[] = [];
  openLog({ log: "off" }, (line) => void lines.push(line)).error("x");
  expect(lines).toEqual([]);
});
