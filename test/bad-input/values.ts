// Values that are invalid for nearly every parameter, as text and in broken encodings.

export const LONG_LENGTH = 20_000;
/** An address holds less text than a form. */
export const LONG_IN_ADDRESS = 6_000;

const NUMBERS = ["1.5", "-1", "0", "999999999", "9007199254740991", "9007199254740992", "1e400"];
const STRUCTURES = [
  ...["[]", "{}", "[[]]", "[null]", "[1.5]", "[-1]", "[9007199254740992]", '[{"a":[{}]}]'],
  ...['{"new":{}}', '{"new":{"direct_members":[null],"direct_subgroups":1}}', '{"__proto__":[]}'],
  ...['{"direct_members":[999999],"direct_subgroups":[-1]}', '["no such thing"]', "[999999]"],
  ...['[{"operator":{},"operand":[]}]', '[["stream",["x"]]]', '[{"stream_id":-1,"property":[]}]'],
  ...[`[${"[".repeat(500)}${"]".repeat(500)}]`, `[${"1,".repeat(1_500)}1]`],
];
const BROKEN_JSON = ["[1,", '{"a"', '"', "tru", "NaN", "'x'", '"\\ud800"', '["\\udfff"]', "01"];
const TEXTS = [
  ...[
    "",
    " ",
    "null",
    "true",
    "True",
    "x",
    '"x"',
    "\0",
    "a\0b",
    "\u202e",
    "\ufffd",
    "\r\n",
    "../..",
  ],
  ...["user99999999999999999999@x", "__proto__", "constructor", "%00", "💥".repeat(200)],
];

/** Text before any encoding. */
export const VALUES = [...NUMBERS, ...STRUCTURES, ...BROKEN_JSON, ...TEXTS];

/** Already encoded, but wrongly: half an escape, invalid UTF-8, half a surrogate pair. */
export const ENCODED = ["%", "%zz", "%f", "%ff", "%c3%28", "%ed%a0%80", "%00"];
