/** Decoding of parameters by tables of inputs and results. */
import { expect, test } from "bun:test";
import { Type } from "typebox";
import { routes } from "../../src/contract/routes.ts";
import {
  Refusal,
  confusingParameters,
  malformed,
  missingParameter,
} from "../../src/contract/errors/general.ts";
import {
  bool,
  defaulted,
  int,
  json,
  withAlias,
  nonNegativeInt,
  oneOf,
  optional,
  type Parameters,
  rawText,
  text,
  textOf,
} from "../../src/endpoint.ts";
import {
  decodeInto,
  ignoredOf,
  parameterSlots,
  spellingOf,
} from "../../src/server/parameters/decode.ts";

function decode(params: Parameters, input: Record<string, string>) {
  const values: Record<string, unknown> = {};
  decodeInto(values, parameterSlots(params, []), new Map(Object.entries(input)));
  return values;
}

function refusal(params: Parameters, input: Record<string, string>) {
  try {
    decode(params, input);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return undefined;
}

const setting = Type.Union([
  Type.Integer(),
  Type.Object({
    direct_members: Type.Array(Type.Integer()),
    direct_subgroups: Type.Array(Type.Integer()),
  }),
]);
const person = Type.Object({
  name: Type.String(),
  age: Type.Optional(Type.Integer({ minimum: 0 })),
});
const strict = Type.Object({ a: Type.Boolean() }, { additionalProperties: false });
const pair = Type.Tuple([Type.String(), Type.Integer()]);
const list = json(Type.Array(Type.String()));

const good: [string, Parameters[string], string, unknown][] = [
  ["an int", int, "12", 12],
  ["a negative int", int, "-7", -7],
  ["an int in spaces", int, " 12 ", 12],
  ["minus nothing", int, "-0", 0],
  ["the largest int", int, "9007199254740991", 9007199254740991],
  ["a natural", nonNegativeInt, "0", 0],
  ["true", bool, "true", true],
  ["false", bool, "false", false],
  ["raw text", text, ' "a" ', ' "a" '],
  ["empty text", text, "", ""],
  ["trimmed text", textOf({ trimmed: true }), " a ", "a"],
  ["text just short enough", textOf({ max: 2 }), "😀😀", "😀😀"],
  ["a raw value", rawText, "[1,", "[1,"],
  ["one of two", oneOf("start", "stop"), "stop", "stop"],
  ["a list", list, '["a","é"]', ["a", "é"]],
  ["a pair of surrogates", list, String.raw`["\ud83d\ude00"]`, ["😀"]],
  ["an integer of a union", json(setting), "5", 5],
  [
    "an object of a union",
    json(setting),
    '{"direct_members":[1],"direct_subgroups":[]}',
    {
      direct_members: [1],
      direct_subgroups: [],
    },
  ],
  ["an object with more", json(person), '{"name":"x","more":1}', { name: "x", more: 1 }],
  ["a tuple", json(pair), '["a",1]', ["a", 1]],
  ["a record", json(Type.Record(Type.String(), Type.Boolean())), '{"a":true}', { a: true }],
  ["whatever", json(Type.Unknown()), '{"a":[null]}', { a: [null] }],
  ["null in a union", json(Type.Union([Type.Null(), Type.Integer()])), "null", null],
  ["a float", json(Type.Number()), "1.5", 1.5],
];

test.each(good)("%s is accepted", (_, parameter, raw, value) => {
  expect(decode({ v: parameter }, { v: raw })).toEqual({ v: value });
});

const bad: [string, Parameters[string], string][] = [
  ["v is not an integer", int, "1.5"],
  ["v is not an integer", int, '"x"'],
  ["v is not an integer", int, "1e400"],
  ["v is not an integer", int, "1e2"],
  ["v is not an integer", int, "12.0"],
  ["v is not an integer", int, "null"],
  ["v is not valid JSON", int, "x"],
  ["v is not valid JSON", int, ""],
  ["v is not valid JSON", int, "007"],
  ["v is too large", int, "9007199254740992"],
  ["v is too small", int, "-9007199254740992"],
  ["v is too small", nonNegativeInt, "-1"],
  ["v is not a boolean", bool, "1"],
  ["v is not a boolean", bool, '"true"'],
  ["v is not valid JSON", bool, "True"],
  ["v cannot be blank", textOf({ filled: true }), " \n"],
  ["v is too long (limit: 2 characters)", textOf({ max: 2 }), "😀😀😀"],
  ["v is too long (limit: 2 characters)", textOf({ max: 2 }), "abcdefgh"],
  ["Invalid v", oneOf("start", "stop"), "pause"],
  ["v is not valid JSON", list, '["a"'],
  ["v is not valid JSON", list, ""],
  ["v is not valid JSON", list, String.raw`["\ud800"]`],
  ["v is not valid JSON", json(Type.Unknown()), String.raw`{"\udfff":1}`],
  ["v is not valid JSON", list, "[".repeat(200_000)],
  ["v is not a list", list, '"a"'],
  ["v is not a list", list, "null"],
  ["v[1] is not a string", list, '["a",1]'],
  ["v is not a dict", json(person), "[]"],
  ["v is not a dict", json(person), "null"],
  ['v["name"] field is missing: Field required', json(person), "{}"],
  ['v["name"] is not a string', json(person), '{"name":null}'],
  ['v["age"] is too small', json(person), '{"name":"x","age":-1}'],
  ['v["age"] is not an integer', json(person), '{"name":"x","age":1.5}'],
  ['v["age"] is not an integer', json(person), '{"name":"x","age":1e999}'],
  ['v["age"] is too large', json(person), '{"name":"x","age":9007199254740993}'],
  ['v[0]["name"] is not a string', json(Type.Array(person)), '[{"name":[]}]'],
  ['Argument "b" at v is unexpected', json(strict), '{"a":true,"b":1}'],
  ['v["a"] is not a boolean', json(strict), '{"a":0}'],
  ["v is not an integer or a dict", json(setting), '"x"'],
  ["v is not an integer or a dict", json(setting), "1.5"],
  [
    'v["direct_members"][0] is not an integer',
    json(setting),
    '{"direct_members":["x"],"direct_subgroups":[]}',
  ],
  [
    'v["direct_subgroups"] field is missing: Field required',
    json(setting),
    '{"direct_members":[]}',
  ],
  ["Invalid v", json(Type.Union([Type.Literal(100), Type.Literal(150)])), "120"],
  [
    "v is not an integer or a string",
    json(Type.Union([Type.Integer(), Type.Literal("unlimited")])),
    "null",
  ],
  ["Invalid v", json(Type.Union([Type.Integer(), Type.Literal("unlimited")])), '"x"'],
  ["Invalid v", json(Type.Enum(["a", "b"])), '"c"'],
  ["v is not length 2", json(pair), '["a"]'],
  ["v is not length 2", json(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 })), "[1]"],
  ["v[1] is not an integer", json(pair), '["a","b"]'],
  ["v is too short.", json(Type.Array(Type.Integer(), { minItems: 1 })), "[]"],
  ["v is too long (limit: 1 items)", json(Type.Array(Type.Integer(), { maxItems: 1 })), "[1,2]"],
  ["v cannot be blank", json(Type.String({ minLength: 1 })), '""'],
  ["v is too short.", json(Type.String({ minLength: 2 })), '"😀"'],
  ["v is too long (limit: 2 characters)", json(Type.String({ maxLength: 2 })), '"abc"'],
  ["v has invalid format", json(Type.String({ pattern: "^[a-z]+$" })), '"A"'],
  ["v is too large", json(Type.Integer({ maximum: 6 })), "7"],
  ["v is not a float", json(Type.Number()), '"1"'],
  ["v is not a float", json(Type.Number()), "1e999"],
  ['v["a"] is not a boolean', json(Type.Record(Type.String(), Type.Boolean())), '{"a":1}'],
];

test.each(bad)("%s", (msg, parameter, raw) => {
  const found = refusal({ v: parameter }, { v: raw });
  expect(found).toEqual(malformed(msg).withField("v"));
  expect(found).toMatchObject({ errCode: "BAD_REQUEST", message: msg, status: 400 });
});

test("names missing required parameters", () => {
  expect(refusal({ stream_id: int }, {})).toEqual(
    missingParameter("stream_id").withField("stream_id"),
  );
  expect(refusal({ stream_id: int }, {})).toMatchObject({
    errCode: "REQUEST_VARIABLE_MISSING",
    message: "Missing 'stream_id' argument",
    extra: { var_name: "stream_id" },
  });
});

test("missing optional parameters are undefined or the default", () => {
  const params = { a: optional(int), b: defaulted(bool, true), c: defaulted(list, ["x"]) };
  expect(decode(params, {})).toEqual({ a: undefined, b: true, c: ["x"] });
});

test("an optional list can be passed as empty", () => {
  for (const raw of ["", "null"]) {
    expect(decode({ a: optional(list), b: defaulted(list, ["x"]) }, { a: raw, b: raw })).toEqual({
      a: undefined,
      b: ["x"],
    });
  }
  expect(refusal({ a: optional(int) }, { a: "" })?.message).toBe("a is not valid JSON");
});

test("accepts either of two names of a parameter", () => {
  const params = { topic: optional(withAlias("subject", text)) };
  expect(decode(params, { topic: "a" })).toEqual({ topic: "a" });
  expect(decode(params, { subject: "a" })).toEqual({ topic: "a" });
  const both = refusal(params, { subject: "a", topic: "a" });
  expect(both).toEqual(confusingParameters("topic", "subject").withField("topic"));
  expect(both).toMatchObject({
    errCode: "REQUEST_CONFUSING_VAR",
    extra: { var_name1: "topic", var_name2: "subject" },
  });
  expect(refusal({ topic: withAlias("subject", text) }, {})?.extra).toEqual({
    ...{ var_name: "topic", field: "topic" },
  });
  const input = new Map([
    ["subject", "a"],
    ["stranger", "b"],
  ]);
  expect(ignoredOf(parameterSlots(params, []), input)).toEqual(["stranger"]);
});

test("accepts both spellings of names with the product's name", () => {
  const name = "zulip_update_announcements_stream_id";
  const other = "service_update_announcements_stream_id";
  const params = {
    [name]: optional(int),
    reaction_type: optional(text),
    service_name: optional(text),
  };
  const slots = parameterSlots(params, []);
  const spelling = (input: Record<string, string>) =>
    spellingOf(slots, new Map(Object.entries(input)));
  expect(decode(params, { [other]: "5" })[name]).toBe(5);
  expect(spelling({ [other]: "5" })).toBe("service");
  expect(spelling({ [name]: "5", service_name: "x" })).toBe("zulip");
  expect(spelling({ reaction_type: "service_extra_emoji" })).toBe("service");
  expect(spelling({ reaction_type: "zulip_extra_emoji" })).toBe("zulip");
  expect(refusal(params, { [name]: "5", [other]: "5" })?.errCode).toBe("REQUEST_CONFUSING_VAR");
});

test("rejects partly supported schemas at startup", () => {
  const email = json(Type.Array(Type.String({ format: "email" })));
  expect(() => parameterSlots({ email }, [])).toThrow('"format"');
});

test("can decode the parameters of every route", () => {
  for (const { endpoint } of routes) parameterSlots(endpoint.params, []);
  const unsupported = json(Type.String({ contentEncoding: "base64" }));
  expect(() => parameterSlots({ unsupported }, [])).toThrow('"contentEncoding" of JSON Schema');
});
