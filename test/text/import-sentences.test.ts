/** The sentences that reports of imports contain are translated, and no others. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import sentences from "../../src/text/refusals/import-sentences.json";
import { importSentenceIn } from "../../src/text/refusals/import-sentences.ts";

const MOVING = join(import.meta.dir, "../../src/features/moving");
/** Files whose sentences a report in the browser can contain. */
const TEXT_SOURCES = [
  "{archive,campfire,discord,import,mattermost,products,rocketchat,slack,source,teams}/*.ts",
  "{json-lines,people-map,undo-jobs}.ts",
  "uploaded/jobs.ts",
];
/** Says why an undo keeps a row. */
const REFERENCES = "../../schema/references.ts";
/** These files write exports, or the log. */
const OTHERS = ["archive/zip-writer.ts", "archive/tar-writer.ts"];

/** Calls and constants that carry a sentence, and the sentence in quotes. */
const LITERAL = String.raw`(?:"((?:[^"\\]|\\.)*)"|${"`"}((?:[^${"`"}\\]|\\.)*)${"`"})`;
const CARRIERS = [
  String.raw`\b(?:lost|fault|lost\.push)\(`,
  String.raw`\bMovingRefused\(`,
  String.raw`\b(?:kind|words|why) =`,
  String.raw`\breturn`,
  String.raw`\?`,
  String.raw`:`,
  String.raw`=`,
  String.raw`,`,
  String.raw`Array\(`,
];
const CARRIED_TEXT = new RegExp(`(?:${CARRIERS.join("|")})\\s*${LITERAL}`, "g");
/** Losses and refusals consist of several words; other texts are keys, patterns and SQL. */
const SENTENCE = /^[A-Za-z$][^<>=;\\]*[a-z{}] [a-z][^<>=\\]*$/;
const OTHER_TEXTS: readonly string[] = [
  ...["*This message was deleted.*", "Unknown user", "private thread", "Microsoft Teams"],
  ...["fetch imported file", "${label} bot", "${label} user ${id}"],
  ...["a message", "a direct message", "a private channel", "private channel"],
  ...["without root ${responses[0]?.ts}", "own act", "with messages", "may be gone"],
];

async function create(): Promise<string[]> {
  const usedTexts = new Set<string>();
  const paths = TEXT_SOURCES.flatMap((glob) => [...new Glob(glob).scanSync(MOVING)]);
  for (const path of [...paths, REFERENCES]) {
    if (OTHERS.includes(path)) continue;
    const source = await Bun.file(join(MOVING, path)).text();
    const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
    const sourceCode = code.replaceAll(/["`]\s*\+\s*["`]/g, "");
    for (const [, quoted, template] of sourceCode.matchAll(CARRIED_TEXT)) {
      const text = quoted ?? template ?? "";
      if (SENTENCE.test(text) && !OTHER_TEXTS.includes(text)) usedTexts.add(text);
    }
  }
  return [...usedTexts];
}

const sample = (text: string) => text.replaceAll(/\$\{[^}]*\}/g, "7");

test("translates each sentence that a report can contain", async () => {
  const all = await create();
  expect(all.length).toBeGreaterThan(100);
  const untranslated = all.filter((text) => importSentenceIn("de", sample(text)) === sample(text));
  expect(untranslated).toEqual([]);
});

test("translates a sentence after its place, with its values", () => {
  const toGerman = (text: string) => importSentenceIn("de", text);
  expect(toGerman("general/a: b.json#3: not a list")).toBe("general/a: b.json#3: keine Liste");
  expect(toGerman("a.zip: not a whole zip file (bad: end)")).toBe(
    "a.zip: keine vollständige zip-Datei (bad: end)",
  );
  for (const text of ["a.json: constructor", "unknown", "", ": "])
    expect(toGerman(text)).toBe(text);
  expect(importSentenceIn("xx", "not a list")).toBe("not a list");
});

test("has only translations whose values the sentence has", () => {
  const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  for (const [english, own] of Object.entries(sentences.de)) {
    expect(namesIn(own).toSorted()).toEqual(namesIn(english).toSorted());
  }
});
