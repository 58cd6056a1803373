// Parsing of flags, values and the environment, and the help texts.
import { expect, test } from "bun:test";
import { parseFlags } from "../../src/commands/config/sources.ts";
import { command } from "../../src/commands/flags.ts";
import { helpOf, overview } from "../../src/commands/help.ts";
import { listenAddress, publicUrl, urlOf } from "../../src/commands/listen.ts";
import { peopleIn } from "../../src/commands/people.ts";

const flags = {
  data: { value: "DIR", default: "./here", description: "where" },
  "full-name": { value: "NAME", required: true, description: "who" },
  note: { value: "TEXT", description: "what" },
  json: { description: "how" },
} as const;

const nameFlag = ["--full-name", "Olga"];

const good: [string[], Record<string, string>, object][] = [
  [nameFlag, {}, { data: "./here", "full-name": "Olga", note: undefined, json: false }],
  [["--full-name=O=o", "--json"], {}, { "full-name": "O=o", json: true }],
  [[...nameFlag, "--note", "--json"], {}, { note: "--json", json: false }],
  [[...nameFlag, "--note="], {}, { note: "" }],
  [[], { SKEIN_FULL_NAME: "Ada", SKEIN_JSON: "1" }, { "full-name": "Ada", json: true }],
  [nameFlag, { SKEIN_FULL_NAME: "Ada", SKEIN_JSON: "off" }, { "full-name": "Olga", json: false }],
  [nameFlag, { SKEIN_DATA: "" }, { data: "./here" }],
];

test.each(good)("%p with %p is accepted", (args, environment, values) => {
  expect(parseFlags(flags, args, environment)).toMatchObject(values);
});

const bad: [string[], Record<string, string>, string][] = [
  [[], {}, "--full-name is missing"],
  [[...nameFlag, "--bogus"], {}, "unknown flag --bogus"],
  [[...nameFlag, "--constructor"], {}, "unknown flag --constructor"],
  [[...nameFlag, "-j"], {}, "unknown flag -j"],
  [[...nameFlag, "here"], {}, "unexpected argument here"],
  [[...nameFlag, "--data"], {}, "--data needs a value: DIR"],
  [[...nameFlag, "--json=yes"], {}, "--json takes no value"],
  [[...nameFlag, ...nameFlag], {}, "--full-name is given twice"],
  [nameFlag, { SKEIN_JSON: "perhaps" }, "SKEIN_JSON must be on or off"],
];

test.each(bad)("%p with %p is rejected", (args, environment, text) => {
  expect(() => parseFlags(flags, args, environment)).toThrow(text);
});

test("help shows each flag, its variable, and its default", () => {
  const payload = {
    description: "makes one",
    examples: ["skein make --json"],
    notes: "Mind the gap.",
  };
  const created = command({ ...payload, flags, run: async () => {} });
  const help = helpOf("make", created);
  expect(help).toStartWith(
    "Usage: skein make [--data DIR] --full-name NAME [--note TEXT] [--json] [--config FILE]\n",
  );
  expect(help).toContain("where (default: ./here) [SKEIN_DATA]");
  expect(help).toContain("[SKEIN_FULL_NAME]");
  expect(help).toContain("Mind the gap.");
  expect(help).toContain("Examples:\n\n  skein make --json\n");
  expect(overview({ make: created })).toContain("skein make");
});

test("listening addresses are a host and a port", () => {
  expect(listenAddress("127.0.0.1:0")).toEqual({ host: "127.0.0.1", port: 0 });
  expect(listenAddress("[::1]:9400")).toEqual({ host: "::1", port: 9400 });
  for (const wrong of ["9400", "localhost", "host:", ":9400", "host:70000", "::1:9400"]) {
    expect(() => listenAddress(wrong)).toThrow("--listen must be HOST:PORT");
  }
  expect(urlOf("0.0.0.0", 1, {})).toBe("http://localhost:1");
  expect(urlOf("::1", 1)).toBe("http://[::1]:1");
});

test("the public URL is an origin", () => {
  expect(publicUrl("https://Chat.Example.com/")).toBe("https://chat.example.com");
  expect(publicUrl("http://localhost:9400")).toBe("http://localhost:9400");
  for (const wrong of [
    "chat.example.com",
    "https://a/b",
    "ftp://a",
    "https://a/?q",
    "https://u@a",
  ]) {
    expect(() => publicUrl(wrong)).toThrow("--url must be a URL");
  }
  expect(() => publicUrl("https://a/b")).toThrow("--url must be a URL without a path, such as");
});

test("reads users from JSON lines, and names an invalid line", () => {
  const ada = '{"email":"a@b.c","full_name":"Ada"}';
  const gus = '{"email":"g@b.c","full_name":"Gus","role":"guest","password":"p"}';
  expect(peopleIn(`${ada}\n\n${gus}\r\n`)).toEqual([
    { email: "a@b.c", full_name: "Ada", role: 400, password: undefined },
    { email: "g@b.c", full_name: "Gus", role: 600, password: "p" },
  ]);
  expect(peopleIn('{"email":"a@b.c","full_name":"Ada","role":200}')[0]!.role).toBe(200);
  const wrong: [string, string][] = [
    ["[]", "line 1: not a JSON object"],
    ["\n{", "line 2: "],
    ['{"email":1,"full_name":"A"}', "line 1: email must be a string"],
    ['{"email":"a"}', "line 1: full_name must be a string"],
    ['{"email":"a","full_name":"A","role":"boss"}', 'line 1: there is no role "boss"'],
    ['{"email":"a","full_name":"A","role":0}', "line 1: there is no role 0"],
    ['{"email":"a","full_name":"A","password":1}', "line 1: password must be a string"],
    ['{"email":"a","full_name":"A","admin":true}', "line 1: unknown field admin"],
  ];
  for (const [line, text] of wrong) expect(() => peopleIn(line)).toThrow(text);
});
