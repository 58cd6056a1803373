// Values that the tables of types accept and reject.
import { expect, test } from "bun:test";
import { dict, nonEmptyList, nonEmptyDict, list, mismatches, type Schema } from "./shapes.ts";

const CASES: [Schema, unknown, string[]][] = [
  ["int", 1, []],
  ["int", 1.5, [" is no int"]],
  ["int", "1", [" is no int"]],
  ["int", null, [" is no int"]],
  ["int?", null, []],
  ["int?", undefined, [" is no int?"]],
  ["num", 1.5, []],
  ["secs", 1_800_000_000, []],
  ["secs", 1_800_000_000_000, [" is no secs"]],
  ["secs", 1_800_000_000.5, [" is no secs"]],
  ["bool", 0, [" is no bool"]],
  ["any", undefined, [" is no any"]],
  [{ a: "str" }, { a: "", b: 1 }, []],
  [{ a: "str" }, {}, [".a is missing"]],
  [{ "a?": "str" }, {}, []],
  [{ "a?": "str" }, { a: null }, [".a is no str"]],
  [{ a: "str" }, [], [" is no dict"]],
  [list("int"), [1, "2", null], ["[1] is no int", "[2] is no int"]],
  [list("int"), {}, [" is no list"]],
  [nonEmptyList("int"), [], [" is empty"]],
  [dict({ a: "int" }), { x: { a: 1 }, y: { a: "1" } }, [".y.a is no int"]],
  [nonEmptyDict("int"), {}, [" is empty"]],
];

test.each(CASES)("%j compared with %j", (schema, value, faults) => {
  expect(mismatches(schema, value)).toEqual(faults);
});
