// Values are checked against a schema, with one line for each place that does not match.
import { expect, test } from "bun:test";
import Type, { type TSchema } from "typebox";
import {
  changeOf,
  dict,
  sameSchema,
  unionOf,
  list,
  mergeGroups,
  nullable,
  choice,
  partial,
  withPrefix,
  seconds,
} from "../../src/contract/shapes/value-types.ts";
import { faultsOf } from "./schema-match.ts";

const int = Type.Integer();
const text = Type.String();

const CASES: [TSchema, unknown, string[]][] = [
  [int, 1, []],
  [int, 1.5, [" is no integer"]],
  [int, null, [" is no integer"]],
  [Type.Number(), 1.5, []],
  [Type.Boolean(), "true", [" is no boolean"]],
  [Type.Null(), null, []],
  [Type.Unknown(), null, []],
  [Type.Unknown(), undefined, [" is not there"]],
  [Type.Literal("a"), "b", [" is not a"]],
  [seconds, 1_700_000_000, []],
  [seconds, 1_700_000_000_000, [" is out of bounds"]],
  [nullable(text), null, []],
  [nullable(text), 1, [" is no string"]],
  [choice("a", "b"), "c", [" is none of a, b"]],
  [list(int), [1, "2"], ["[1] is no integer"]],
  [list(int), {}, [" is no array"]],
  [dict(int), { x: 1, y: "" }, [".y is no integer"]],
  [Type.Object({ a: text }), [], [" is no object"]],
  [Type.Object({ a: text }), {}, [".a is missing"]],
  [Type.Object({ a: text }), { a: "", b: 1 }, [".b is a stray"]],
  [Type.Object({ a: text }), { a: "", constructor: 1 }, [".constructor is a stray"]],
  [Type.Object({ a: Type.Optional(text) }), {}, []],
  [list(Type.Object({ a: text })), [{ a: "", b: 1 }], ["[0].b is a stray"]],
  [unionOf(int, Type.Object({ a: int })), { a: 1 }, []],
  [unionOf(Type.Object({ a: int }), Type.Object({ b: int, c: int })), { b: 1 }, [".c is missing"]],
  [Type.Object(partial({ a: int, b: int })), { b: 1 }, []],
  [Type.Object(sameSchema(["a", "b"], int)), { a: 1 }, [".b is missing"]],
  [Type.Object(withPrefix("x_", { a: int })), { x_a: 1 }, []],
  [Type.Object(mergeGroups({ one: { a: int }, two: { b: int } })), { a: 1 }, [".b is missing"]],
  [changeOf({ a: int, b: text }), { property: "b", value: "" }, []],
  [changeOf({ a: int, b: text }), { property: "a", value: "" }, [".value is no integer"]],
  [changeOf({ a: int }, { id: int }), { property: "a", value: 1 }, [".id is missing"]],
];

test.each(CASES)("%j compared with %j", (schema, value, faults) => {
  expect(faultsOf(schema, value)).toEqual(faults);
});
