// The client renders every message that the server can render, whatever addresses are in it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { emoji } from "../../src/assets/emoji.ts";
import { words } from "../../src/assets/compile-texts.ts";
import { render, RenderTooLarge } from "../../src/text/markdown/render.ts";
import { SEED } from "../random.ts";
import { countOf } from "../repetitions.ts";
import { context, FRAGMENTS } from "../text/markdown-fragments.ts";
import { renderContext } from "../text/markdown-fixture.ts";
import { openBrowser } from "./browser-session.ts";

declare global {
  // Defined by test/web/page/renderer.ts in the page.
  var failuresOf: (contents: readonly string[]) => { html: string; error: string }[];
  var shownOf: (content: string) => {
    text: string;
    html: string;
    errors: string[];
    isTall: boolean;
  };
}

/** Messages that the page receives at once. */
const BATCH = 10_000;
const ORIGIN = "http://chat.example.com";

/** Addresses that the server links although no parser takes them, and others at the limit. */
const ADDRESSES = [
  "http://192.168.1.256/",
  "http://example.com:99999/",
  "http://1.2.3.4.5/",
  "http://user@/x",
  "[x](http://a%zz.com/)",
  "http://0x100000000/",
  "http://[::1]:80/",
  "[x](http://[::1/)",
  "https://a.org:/",
  "https://xn--a/",
  "[x](//[)",
  "[x](/\\[)",
  "![x](http://1.2.3.4.5/a.png)",
  "http://1.2.3.4.5/a.png",
  "http://192.168.1.256/a.mp4",
  "[x](mailto:%zz)",
  "[x](#narrow/constructor/x)",
  "[x](#narrow/__proto__/toString)",
  "/user_uploads/2/4c/tok/%zz.png",
  "[%E0%A4%A](/user_uploads/2/ab/%E0%A4%A.pdf)",
  "http://%/",
  "http://a b/",
  "[x](http://)",
  "[x](https:///)",
  "<time:9999-12-31T23:59:59Z>",
  "<time:-271821-04-20>",
  "<time:275760-09-13>",
  "\n```constructor\nx\n```\n",
  "\n```__proto__\nx\n```\n",
  ":constructor:",
  `@**${"a\u0301".repeat(20)}**`,
  "e" + "\u0301".repeat(60),
];

const message = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.constantFrom(...ADDRESSES)), { maxLength: 12 })
  .map((lines) => lines.join(""));

let page: Page;
beforeAll(async () => {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "page/renderer.ts")],
    target: "browser",
    plugins: [words, emoji],
    define: { SKEIN_ICONS: '"/icons.svg"', "process.env.NODE_ENV": '"production"' },
  });
  const browser = await openBrowser();
  page = await browser.newPage();
  await page.route("**", (route) =>
    route.request().url() === `${ORIGIN}/`
      ? route.fulfill({ contentType: "text/html", body: "<!doctype html><body></body>" })
      : route.abort(),
  );
  await page.goto(`${ORIGIN}/`);
  await page.addScriptTag({ content: await built.outputs[0]!.text(), type: "module" });
  await page.waitForFunction(() => typeof globalThis.failuresOf === "function");
});
afterAll(() => page?.close());

function renderedOf(source: string): string[] {
  try {
    return [render(source, context).html];
  } catch (error) {
    if (error instanceof RenderTooLarge) return [];
    throw error;
  }
}

test("renders every message of the server's renderer without an exception", async () => {
  const numRuns = countOf("client_messages");
  const sources = [...ADDRESSES, ...fc.sample(message, { seed: SEED, numRuns })];
  let rendered = 0;
  for (let from = 0; from < sources.length; from += BATCH) {
    const contents = sources.slice(from, from + BATCH).flatMap(renderedOf);
    const failures = await page.evaluate((all) => globalThis.failuresOf(all), contents);
    expect(failures.slice(0, 5)).toEqual([]);
    rendered += contents.length;
  }
  // The server rejects a few messages that render to too much HTML.
  expect(rendered).toBeGreaterThan(0.9 * sources.length);
});

const renderInPage = (source: string) =>
  page.evaluate((html) => globalThis.shownOf(html), render(source, renderContext()).html);

test("shows an address that is no URL as text", async () => {
  const { text, html, errors } = await renderInPage("the box was at http://192.168.1.256/ I think");
  expect(text).toBe("the box was at http://192.168.1.256/ I think");
  expect(html).not.toContain("href");
  expect(errors).toEqual([]);
});

test("shows sanitized HTML when enriching throws, and reports the error", async () => {
  await page.evaluate(() => {
    const { createElement } = document;
    document.createElement = ((tag: string) => {
      if (tag === "summary") throw new Error("no summaries");
      return createElement.call(document, tag);
    }) as typeof createElement;
  });
  const { text, html, errors } = await renderInPage(
    "```spoiler Title\n**bold** https://a.org\n```",
  );
  await page.evaluate(() => void Reflect.deleteProperty(document, "createElement"));
  expect(errors).toEqual(["Error: no summaries"]);
  expect(text).toContain("Title");
  expect(html).toContain("<strong>bold</strong>");
  expect(html).toContain('rel="noopener noreferrer"');
});

test("shows the text when sanitizing throws", async () => {
  await page.evaluate(() => {
    const { parseFromString } = DOMParser.prototype;
    DOMParser.prototype.parseFromString = function failing(text, type) {
      if (String(text).includes("unparsed")) throw new Error("no parser");
      return parseFromString.call(this, text, type);
    };
  });
  const { text, html, errors } = await renderInPage("unparsed **bold** <b> & more");
  expect(errors.length).toBe(2);
  expect(text).toBe("unparsed bold <b> & more");
  expect(html).toBe("unparsed bold &lt;b&gt; &amp; more");
});

test("shows at most eight combining marks on a character, and clips the row", async () => {
  const { text, isTall } = await renderInPage(`e${"\u0301".repeat(60)}x`);
  expect(text).toBe(`e${"\u0301".repeat(8)}x`);
  expect(isTall).toBe(true);
  expect((await renderInPage("plain")).isTall).toBe(false);
});
