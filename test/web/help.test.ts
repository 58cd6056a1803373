// The help pages in each language: valid links and search.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type DefaultTreeAdapterMap, parse } from "parse5";
import type { Page } from "playwright-core";
import { HELP_PICTURES } from "../../src/assets/help-files.ts";
import type { HelpFiles, HelpLanguage } from "../../src/assets/help-frame.ts";
import { HELP_FOLDERS, HELP_LANGUAGES, helpIndex, helpPages } from "../../src/assets/help.ts";
import { type HelpPart, searchHelp } from "../../src/web/help/search.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { accessibilityFaults } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer.close());

const PICTURES_BYTES_MAX = 600_000;
const pictures = new Map(
  readdirSync(HELP_PICTURES).map((file) => {
    const picture = { light: "/assets/l.webp", dark: "/assets/d.webp", width: 1, height: 1 };
    return [file.replace(/-(light|dark)\.webp$/, ""), picture];
  }),
);
const FILES: HelpFiles = { style: "/assets/s", script: "/assets/j", index: "/assets/i", pictures };
const ORIGIN = "http://localhost";

type Node = DefaultTreeAdapterMap["node"];

function hrefsIn(node: Node): string[] {
  const own = "attrs" in node ? node.attrs.filter(({ name }) => name === "href") : [];
  const inside = "childNodes" in node ? node.childNodes.flatMap(hrefsIn) : [];
  return [...own.map(({ value }) => value), ...inside];
}

test("every link has a target, and the contents link every page", async () => {
  const built = await Promise.all(HELP_LANGUAGES.map((language) => helpPages(language, FILES)));
  const paths = built.flat().map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(50);
  const there = [...paths, "/", FILES.style];
  for (const [index, pages] of built.entries()) {
    const root = `/help/${HELP_LANGUAGES[index]}/`;
    const linkTargets = (path: string, html: string) =>
      hrefsIn(parse(html)).map((href) => new URL(href, ORIGIN + path));
    const broken = pages.flatMap(({ path, html }) =>
      linkTargets(path, html)
        .filter(({ origin, pathname }) => origin === ORIGIN && !there.includes(pathname))
        .map((href) => `${path}: ${href}`),
    );
    expect(broken).toEqual([]);
    const linked = linkTargets(root, pages[0]!.html).map(({ pathname }) => pathname);
    expect(pages.map(({ path }) => path).filter((path) => !linked.includes(path))).toEqual([]);
  }
});

const sourceOf = (language: HelpLanguage, file: string) =>
  Bun.file(join(HELP_FOLDERS[language], file)).text();

test("the title of each page matches the contents", async () => {
  for (const language of HELP_LANGUAGES) {
    const contents = await sourceOf(language, "README.md");
    for (const [, text, name] of contents.matchAll(/\[([^\]]+)\]\(([\w-]+)\.md\)/g)) {
      expect(await sourceOf(language, `${name}.md`)).toStartWith(`# ${text}\n`);
    }
  }
});

/** The structure of a page without text is the same in every language. */
const shapeOf = (text: string) => ({
  headings: [...text.matchAll(/^(#+) /gm)].map(([, characters]) => characters),
  rows: [...text.matchAll(/^\|/gm)].length,
  items: [...text.matchAll(/^(?:-|\d\.) /gm)].length,
  links: [...text.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => name),
  pictures: [...text.matchAll(/([\w-]+)-light\.webp/g)].map(([, name]) => name),
});

test("each English page has a German one with as many sections", async () => {
  const english = readdirSync(HELP_FOLDERS.en).filter((file) => file.endsWith(".md"));
  const german = readdirSync(HELP_FOLDERS.de);
  expect(german.sort()).toEqual(english.sort());
  for (const file of english) {
    const shapes = await Promise.all([sourceOf("en", file), sourceOf("de", file)]);
    const [own, other] = shapes.map(shapeOf);
    expect([file, other]).toEqual([file, own]);
  }
});

test.each(["en", "de"] as const)("names labels as the interface does: %s", async (language) => {
  const folder = join(import.meta.dir, "../../src/web/words");
  const texts = (await Bun.file(join(folder, `${language}.json`)).json()) as Record<string, string>;
  // A label in an article may leave out an ellipsis, which menus add to items that ask for more, or
  // what follows a comma or a colon.
  const knownNames = new Set(
    Object.values(texts).flatMap((text) => [text, text.split(/ ?…$|[,:]/)[0]!]),
  );
  // Labels of browsers, names of channels that the server creates, and emphasis.
  const others = ["Install", "Installieren", "general", "Skein", "sandbox", "italic", "kursiv"];
  const unknown: string[] = [];
  for (const file of readdirSync(HELP_FOLDERS[language]).filter((name) => name.endsWith(".md"))) {
    const labels = (await sourceOf(language, file)).matchAll(/(?<![\w`])_([^_`\n]+)_/g);
    for (const [, path = ""] of labels) {
      const isKnown = (part: string) =>
        knownNames.has(part) || knownNames.has(part.replace(/ ?…$/, ""));
      const parts = path.split(" → ").filter((part) => !isKnown(part) && !others.includes(part));
      unknown.push(...parts.map((part) => `${file}: ${part}`));
    }
  }
  expect(unknown).toEqual([]);
});

test("pictures exist in both schemes, are all used, and are small together", async () => {
  const files = readdirSync(HELP_PICTURES).sort();
  const displayed = new Set<string>();
  for (const file of readdirSync(HELP_FOLDERS.en).filter((item) => item.endsWith(".md"))) {
    for (const name of shapeOf(await sourceOf("en", file)).pictures) displayed.add(name!);
  }
  const expected = [...displayed].flatMap((name) => [`${name}-dark.webp`, `${name}-light.webp`]);
  expect(files).toEqual(expected.sort());
  const bytes = files.map((file) => statSync(join(HELP_PICTURES, file)).size);
  expect(bytes.reduce((sum, item) => sum + item, 0)).toBeLessThan(PICTURES_BYTES_MAX);
});

test("a search finds sections by word prefixes, best match first", async () => {
  const helpParts = JSON.parse(await helpIndex("en")) as HelpPart[];
  const searchIds = (query: string) =>
    searchHelp(helpParts, query).map(({ part }) => `${part.page}${part.id}`);
  expect(searchIds("remind")[0]).toBe("coming-back/reminders");
  expect(searchIds("forgot password")).toContain("security/");
  expect(searchIds("zzz")).toEqual([]);
  expect(searchIds("  ")).toEqual([]);
  const [first] = searchHelp(helpParts, "fingerprint");
  expect(first!.excerpt.slice(first!.from, first!.to)).toBe("fingerprint");
  const german = JSON.parse(await helpIndex("de")) as HelpPart[];
  // Diacritics are ignored, and words are found inside long ones.
  expect(searchHelp(german, "loschen")[0]!.part.page).toBe("changing/");
  expect(searchHelp(german, "codes").map(({ part }) => part.page)).toContain("security/");
});

test("serves pages in the reader's language, and 404 for unknown ones", async () => {
  const request = async (path: string, language: string, extra = {}) => {
    const headers = { "Accept-Language": language, ...extra };
    const response = await fetch(testServer.url + path, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const german = await request("/help/topics/", "de-AT,de;q=0.9,en;q=0.5");
  expect(german.headers.get("vary")).toContain("Accept-Language");
  expect(german.headers.get("content-security-policy")).toStartWith("default-src 'none';");
  expect(german.text).toContain('<html lang="de">');
  expect(german.text).toContain('href="/help/en/topics/"');
  const etag = german.headers.get("etag")!;
  expect((await request("/help/topics/", "de", { "If-None-Match": etag })).status).toBe(304);
  // A cached page in another language does not match.
  expect((await request("/help/topics/", "en", { "If-None-Match": etag })).status).toBe(200);
  for (const path of ["/help/", "/help/topics/", "/help/en/", "/help/en/topics/"]) {
    expect([path, (await request(path, "fr")).text.includes('<html lang="en">')]).toEqual([
      path,
      true,
    ]);
  }
  for (const line of ["GET //help/", "GET //help/keys/", "GET //help/de/keys/"]) {
    expect([line, (await testServer.send(null, line)).status]).toEqual([line, 200]);
  }
  expect((await request("/help/de/topics/", "en")).text).toContain('<html lang="de">');
  for (const path of ["/help/README/", "/help/../sw/", "/help/fr/topics/", "/help/de/nothing/"]) {
    expect([path, (await request(path, "en")).status]).toEqual([path, 404]);
  }
});

test("prefers the account's language to the browser's", async () => {
  const browserSession = await BrowserSession.of(testServer, "cy");
  await testServer.request("cy", "PATCH /settings", { default_language: "de" });
  const page = await browserSession.tab("/help/inbox/");
  await page.getByRole("heading", { level: 1, name: "Eingang und" }).waitFor();
  await page.getByRole("link", { name: "English" }).click();
  await page.waitForURL(/\/help\/en\/inbox\/$/);
  await page.getByRole("link", { name: "Help" }).click();
  await page.waitForURL(/\/help\/en\/$/);
  // The switcher names pages in that language too.
  await page.goto("/");
  await page.locator("body[data-whole]").waitFor();
  await page.keyboard.press("Control+k");
  await page.locator("input[role=combobox]").fill("eingang und");
  await page.getByRole("option", { name: "Eingang und ungelesene Nachrichten" }).waitFor();
  await page.keyboard.press("Escape");
  // Shortcuts are translated too.
  await page.locator(".sidebar-search kbd").getByText("Strg K").waitFor();
  await page.goto("/#keyboard-shortcuts");
  const keys = page.getByRole("dialog", { name: "Tastenkürzel" });
  await keys.getByRole("searchbox").fill("eingabe");
  await keys.locator("kbd").getByText("Eingabe", { exact: true }).first().waitFor();
  // The addresses that other clients use for these pages open the help, and Back skips no view.
  for (const [address, page_at] of [
    ["message-formatting", "/help/formatting/"],
    ["search-operators", "/help/search/"],
  ] as const) {
    await page.goto("/#recent");
    await page.getByRole("heading", { name: "Zuletzt" }).first().waitFor();
    await page.goto(`/#${address}`);
    await page.waitForURL((url) => url.pathname === page_at);
    await page.goBack();
    await page.waitForURL(/#recent$/);
  }
});

async function withoutFault(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
}

test("pages are found from the switcher and the shortcuts, without fault", async () => {
  const browserSession = await BrowserSession.of(testServer, "bo");
  const page = await browserSession.tab("/");
  await page.locator("main[data-connection=live]").waitFor();
  await page.locator("body[data-whole]").waitFor();
  await page.keyboard.press("?");
  const link = page.getByRole("link", { name: "Learn more in the help center" });
  expect(await link.getAttribute("href")).toBe("/help/");
  await page.keyboard.press("Escape");
  await link.waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("moving from slack");
  const option = page.getByRole("option", { name: "Moving from Slack, Mattermost" });
  const [help] = await Promise.all([browserSession.context.waitForEvent("page"), option.click()]);
  await help.getByRole("heading", { level: 1, name: /Moving from Slack/ }).waitFor();
  await withoutFault(help);
  expect(browserSession.faults).toEqual([]);
});

test("searches, browses results and opens them with the keyboard", async () => {
  const browserSession = await BrowserSession.of(testServer, "ada");
  const page = await browserSession.tab("/help/topics/");
  const field = page.getByRole("combobox", { name: "Search the help center" });
  await field.waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("snippet");
  const options = page.getByRole("option");
  await options.first().waitFor();
  expect(await field.getAttribute("aria-expanded")).toBe("true");
  await withoutFault(page);
  await page.keyboard.press("ArrowDown");
  await field.and(page.locator("[aria-activedescendant=found-0]")).waitFor();
  await page.keyboard.press("Escape");
  await options.first().waitFor({ state: "detached" });
  await page.keyboard.type("zzzz");
  await page.getByText("No articles found.").waitFor();
  await field.fill("you are offline");
  await options.first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/help\/writing\/#if-you-are-offline$/);
  await page.getByRole("heading", { level: 1, name: "Writing a message" }).waitFor();
  expect(browserSession.faults).toEqual([]);
});
