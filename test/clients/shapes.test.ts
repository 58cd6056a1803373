// What the tables of types let through, and what they do not.
import { expect, test } from "bun:test";
import {
  dict,
  either,
  filled,
  filledDict,
  list,
  misfits,
  oneOf,
  type Shape,
  strayings,
} from "./shapes.ts";

const CASES: [Shape, unknown, string[]][] = [
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
  [filled("int"), [], [" is empty"]],
  [dict({ a: "int" }), { x: { a: 1 }, y: { a: "1" } }, [".y.a is no int"]],
  [filledDict("int"), {}, [" is empty"]],
  [oneOf("a", 2), "a", []],
  [oneOf("a", 2), "2", [" is none of a, 2"]],
  [either("int", { a: "int" }), { a: 1 }, []],
  [either({ a: "int" }, { b: "int", c: "int" }), { b: 1 }, [".a is missing"]],
];

test.each(CASES)("%j held against %j", (shape, value, faults) => {
  expect(misfits(shape, value)).toEqual(faults);
});

const EXACTLY: [Shape, unknown, string[]][] = [
  [{ a: "str", "b?": "int" }, { a: "" }, []],
  [{ a: "str" }, { a: "", b: 1 }, [".b is a stray"]],
  [list({ a: "str" }), [{ a: "", b: 1 }], ["[0].b is a stray"]],
  [dict({ a: "str" }), { x: { b: 1 } }, [".x.a is missing", ".x.b is a stray"]],
  [either({ a: "str" }, { a: "str", b: "int" }), { a: "", b: 1 }, []],
];

test.each(EXACTLY)("%j held exactly against %j", (shape, value, faults) => {
  expect(strayings(shape, value)).toEqual(faults);
});
