// Templates that are filled with JSON, and the shell patterns of filters.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { matchesGlob } from "../../src/text/templates/glob.ts";
import { FILLED_LENGTH_MAX, filledTemplate, textAt } from "../../src/text/templates/template.ts";

const VALUES = { a: { b: ["x", { c: 1.5 }] }, yes: true, none: null, "": 0, text: "{{yes}}" };

test.each([
  ["no place", "no place"],
  ["{{a.b.0}} and {{ a . b . 1 . c }}", "x and 1.5"],
  ["{{yes}}{{none}}{{missing}}{{a.missing.too}}{{}}", "true0"],
  ["{{a}}", '{"b":["x",{"c":1.5}]}'],
  ["{{a.b.length}}{{a.constructor}}{{__proto__}}{{text.length}}", ""],
  ["{{text}}", "{{yes}}"],
  ["{a} {{a.b.0", "{a} {{a.b.0"],
  ["{{{yes}}}", "{true}"],
])("%s", (template, expected) => expect(filledTemplate(template, VALUES)).toBe(expected));

test("limits the output of a template with large values", () => {
  const values = { long: "x".repeat(1_000_000) };
  expect(filledTemplate("{{long}}".repeat(1_000), values).length).toBe(FILLED_LENGTH_MAX);
  expect(filledTemplate("{{".repeat(100_000), values).length).toBe(FILLED_LENGTH_MAX);
  expect(textAt(null, "a")).toBe("");
  expect(textAt("text", "")).toBe("");
});

test.each([
  ["push", "push", true],
  ["push", "pus", false],
  ["pull_request.opened", "pull_request.*", true],
  ["pull_request", "pull_request.*", false],
  ["push", "*", true],
  ["", "*", true],
  ["", "", true],
  ["push", "p?sh", true],
  ["push", "p[aeu]sh", true],
  ["push", "p[!a-t]sh", true],
  ["push", "p[!a-z]sh", false],
  ["p]sh", "p[]]sh", true],
  ["p[sh", "p[sh", true],
  ["a.b", "a?b", true],
  ["aXbXc", "a*b*c", true],
  ["abcab", "*ab", true],
  ["PUSH", "push", false],
])("%s against %s: %p", (text, pattern, expected) =>
  expect(matchesGlob(text, pattern)).toBe(expected),
);

test("a pattern of stars and letters matches like a regular expression", () => {
  const characters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 8 });
  fc.assert(
    fc.property(characters, pattern, (text, value) => {
      const regular = value.replaceAll("*", ".*").replaceAll("?", ".");
      expect(matchesGlob(text, value)).toBe(new RegExp(`^${regular}$`).test(text));
    }),
  );
  expect(matchesGlob("a".repeat(100_000), `${"*a".repeat(50)}*b`)).toBe(false);
});
