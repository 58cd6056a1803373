/** Texts of pages and emails are complete in every language. */
import { expect, test } from "bun:test";
import { parse, type Token } from "@messageformat/parser";
import { Glob } from "bun";
import { basename, join } from "node:path";
import { MAKERS } from "../house/error-translations.ts";
import { Refusal } from "../../src/contract/errors/general.ts";
import { browserTranslator } from "../../src/features/i18n/negotiate-language.ts";
import { ENGLISH, translatorFor, type Word } from "../../src/features/i18n/translations.ts";

const SOURCE = join(import.meta.dir, "../../src");
const FOLDER = join(SOURCE, "features/i18n");
type Catalogue = Record<string, string>;
const read = async (language: string) =>
  (await Bun.file(join(FOLDER, `${language}.json`)).json()) as Catalogue;
const english = await read("en");
const german = translatorFor("de")!;

const valuesIn = (sentence: string) => [...new Set(parse(sentence).flatMap(valuesOf))].sort();

function valuesOf(token: Token): string[] {
  if (!("arg" in token)) return [];
  const inner = "cases" in token ? token.cases.flatMap(({ tokens }) => tokens) : [];
  return [token.arg, ...inner.flatMap(valuesOf)];
}

test("German has every sentence, with the values and plurals of the English one", async () => {
  const catalogue = await read("de");
  expect(Object.keys(catalogue)).toEqual(Object.keys(english));
  for (const [key, sentence] of Object.entries(english)) {
    expect([key, valuesIn(catalogue[key]!)]).toEqual([key, valuesIn(sentence)]);
    if (/,\s*plural,/.test(sentence)) {
      for (const form of ["one", "other"]) expect(catalogue[key]).toMatch(`${form} {`);
    }
  }
});

test("every sentence can be rendered, with one item and with three", () => {
  for (const translator of [ENGLISH, german]) {
    for (const [key, sentence] of Object.entries(english)) {
      for (const number of [1, 3]) {
        const values = Object.fromEntries(valuesIn(sentence).map((name) => [name, number]));
        const text = translator.translate(key as Word, values);
        expect([key, text === "" || /[{}]|undefined/.test(text)]).toEqual([key, false]);
      }
    }
  }
  expect(german.translate("mail-have-new", { count: 1 })).toBe("Du hast eine neue Nachricht.");
  expect(german.translate("mail-have-new", { count: 12 })).toBe("Du hast 12 neue Nachrichten.");
  expect(german.translateHtml("has-account", { signIn: "<b>" }).text).toBe(
    "Du hast schon ein Konto? &lt;b&gt;.",
  );
});

test("the code uses every sentence of the catalogs", async () => {
  const texts: string[] = [];
  for (const path of new Glob("**/*.ts").scanSync(join(SOURCE, "features"))) {
    texts.push(await Bun.file(join(SOURCE, "features", path)).text());
  }
  const all = texts.join("\n");
  const starts = ["illustration-", "type-", "file-"];
  const idle = Object.keys(english).filter(
    (key) => !all.includes(`"${key}"`) && !starts.some((start) => key.startsWith(start)),
  );
  expect(idle).toEqual([]);
});

/** Folders of pages and emails. API messages are translated elsewhere. */
const TRANSLATED_FILES = [
  "pages",
  "passwords",
  "invitations",
  "sign-in",
  "two-factor",
  "accounts",
  "email-delivery",
];
const OTHER_SOURCES = ["mail", "backup/emails.ts", "organization/set-up.ts"];

test("pages contain no sentence that is not in the catalogs", async () => {
  const outside: string[] = [];
  for (const path of new Glob("**/*.ts").scanSync(join(SOURCE, "features"))) {
    if (![...TRANSLATED_FILES, ...OTHER_SOURCES].some((location) => path.startsWith(location)))
      continue;
    const allText = await Bun.file(join(SOURCE, "features", path)).text();
    const text = allText.replace(/^ *(summary:|\/\/|\/?\*).*$/gm, "");
    for (const [, template] of text.matchAll(/markup`([^`]*)`/g)) {
      const plain = template!.replace(/\$\{[^}]*\}|<code>.*?<\/code>|<[^>]*>/g, "");
      if (/[A-Za-z]{2,} [A-Za-z]{2,}/.test(plain)) outside.push(`${path}: ${plain.trim()}`);
    }
    const isLetter = /email|missed|sign-ins/.test(basename(path));
    if (!isLetter) continue;
    for (const [, message] of text.matchAll(/[`"]([A-Z][a-z]+ [^`"]*)[`"]/g)) {
      if (!/[A-Z]\w+ X$|^Mac OS/.test(message!)) outside.push(`${path}: ${message}`);
    }
  }
  expect(outside).toEqual([]);
});

test("roles have the same name on pages, in emails and in the client", async () => {
  const [client, server] = [
    (await import("../../src/web/words/de.json")).default,
    await read("de"),
  ];
  for (const key of ["closed-means", "mail-an-owner", "organization-ready", "set-up-means"]) {
    expect(server[key]).toContain(client["owner"]);
  }
});

test("errors of pages are translated to German with their values", () => {
  const lines = Object.entries(MAKERS).map(([name, make]) => {
    const refusal = make();
    return [name, german.refusal(refusal) !== refusal.message];
  });
  expect(lines.filter(([, isSet]) => !isSet)).toEqual([]);
  const refusal = new Refusal("BAD_REQUEST", "Email 'bo@x.com' not allowed in this organization");
  expect(german.refusal(refusal)).toBe(
    "Die E-Mail-Adresse bo@x.com ist in dieser Organisation nicht erlaubt.",
  );
  expect(ENGLISH.refusal(refusal)).toBe(refusal.message);
});

/** Errors that only the API returns, or that pages show in other words. */
const UNSEEN = [
  ...["developmentOnly", "developmentSignInOff", "jwtSignInOff", "noSession", "tooManySignIns"],
];
/** Features whose pages show errors. */
const REQUEST = ["sign-in", "two-factor", "passwords", "oidc", "organization/set-up.ts"];
const EXTRA_KEYS = [
  "people/names.ts",
  "realm/addresses.ts",
  "invitations/form.ts",
  "invitations/confirm",
];

test("the translated errors include every error of pages", async () => {
  const missingTexts: string[] = [];
  for (const path of new Glob("**/*.ts").scanSync(join(SOURCE, "features"))) {
    if (![...REQUEST, ...EXTRA_KEYS].some((location) => path.startsWith(location))) continue;
    const text = await Bun.file(join(SOURCE, "features", path)).text();
    const imports = text.matchAll(/import \{([^}]*)\} from "[^"]*errors\/(?:people|realm)\.ts"/g);
    const names = [...imports].flatMap(([, names]) => names!.split(",").map((item) => item.trim()));
    const isKnown = (name: string) => name === "" || name in MAKERS || UNSEEN.includes(name);
    for (const name of names) if (!isKnown(name)) missingTexts.push(`${path}: ${name}`);
  }
  expect(missingTexts).toEqual([]);
});

test.each([
  ["de-DE,de;q=0.9,en;q=0.8", "de"],
  ["fr-FR, fr;q=0.9, de;q=0.3, en;q=0.5", "en"],
  ["de;q=0, en", "en"],
  ["fr, *;q=0.5", undefined],
  ["", undefined],
  [";;;q=x,,de", "de"],
  ["constructor", undefined],
])("a browser that likes %j is spoken to in %p", (header, language) => {
  const request = new Request("http://x/", { headers: { "Accept-Language": header } });
  expect(browserTranslator(request)?.language).toBe(language as "de" | "en" | undefined);
});
