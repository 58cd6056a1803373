/** Translated error messages match existing errors and their values. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import * as channels from "../../src/contract/errors/channels.ts";
import type { Refusal } from "../../src/contract/errors/general.ts";
import { lastUserStaysActive } from "../../src/contract/errors/people.ts";
import * as realm from "../../src/contract/errors/realm.ts";
import { MAKERS } from "../house/error-translations.ts";
import refusals from "../../src/text/refusals/refusals.json";
import { refusalIn } from "../../src/text/refusals/refusals.ts";

const SRC = join(import.meta.dir, "../../src");
/** Files that create errors, and those with field messages. */
const TEXT_SOURCES = [
  "contract/errors/*.ts",
  "features/{linkifiers,playgrounds}/{actions,rules}.ts",
  "features/profile/data.ts",
  "features/organization/profile-fields.ts",
  "features/moving/uploaded/api-jobs.ts",
];
const VALUE = /\{(\w+)\}/;
const namesIn = (sentence: string) => sentence.split(VALUE).filter((_, index) => index % 2 === 1);
const toGerman = (message: string) => refusalIn("de", message);

test("each translated error exists, with only known values", async () => {
  let source = "";
  for (const path of TEXT_SOURCES.flatMap((created) => [...new Glob(created).scanSync(SRC)])) {
    source += await Bun.file(join(SRC, path)).text();
  }
  const code = source.replace(/["`]\s*\+\s*["`]/g, "");
  const ofPages = Object.values(MAKERS).map((make) => make());
  const others = [lastUserStaysActive(true), lastUserStaysActive(false)];
  const result = new Set([...ofPages, ...others].map(({ message }) => message));
  const idle: string[] = [];
  for (const [english, own] of Object.entries(refusals.de)) {
    const parts = english
      .split(VALUE)
      .filter((part, index) => index % 2 === 0 && part.trim() !== "");
    const isCreated = parts.every((part) => code.includes(part)) || result.has(english);
    if (!isCreated) idle.push(english);
    for (const name of namesIn(own)) expect(namesIn(english)).toContain(name);
  }
  expect(idle).toEqual([]);
});

test("translates errors with their values, or leaves them unchanged", () => {
  expect(toGerman(channels.channelNameTaken("Garten").message)).toBe(
    "Der Kanal „Garten“ existiert bereits.",
  );
  expect(toGerman(channels.channelNameTooLong(60).message)).toBe(
    "Der Kanalname ist zu lang (höchstens 60 Zeichen).",
  );
  expect(toGerman(lastUserStaysActive(false).message)).toBe(
    "Das einzige Konto kann nicht deaktiviert werden.",
  );
  for (const other of ["Nobody has said this", "constructor", "", " is not a URL"]) {
    expect(toGerman(other)).toBe(other);
  }
  const message = channels.channelNameTaken("a").message;
  expect([refusalIn("en", message), refusalIn("xx", message)]).toEqual([message, message]);
});

test("translates the errors of the pages for imports and exports", () => {
  // `importRefused` has any message.
  const { importRefused: _, ...errors } = realm;
  const codes = Object.entries(errors).flatMap(([name, make]) => {
    if (!/^(?:import|export|personExport)/.test(name)) return [];
    return (make as (...values: number[]) => Refusal)(7, 8).message;
  });
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((message) => toGerman(message) === message)).toEqual([]);
  expect(toGerman("Import 7 was already undone.")).toBe("Import 7 wurde schon rückgängig gemacht.");
});

test("matches a long error in linear time", () => {
  const long = " is too long (limit: ".repeat(200_000);
  expect(toGerman(long)).toBe(long);
});
