// Controls are readable in every state, disabled and hovered, in all color schemes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { openBrowser } from "./browser-session.ts";

declare global {
  // Defined by test/web/page/contrast.ts in the page.
  var contrastsOf: (selector: string) => { name: string; contrast: number }[];
}

const WEB = join(import.meta.dir, "../../src/web");
const SHEETS = ["tokens.css", "base.css", "ui/**/*.css", "features/**/*.css"];
const LAYERS = "@layer reset,tokens,base,ui,features,content,modes;";

/** WCAG 2.2 for text and icons; disabled controls must meet the same. */
const TEXT_MIN = 4.5;
const SIGN_MIN = 3;

const kinds = ["", 'data-kind="primary"', 'data-kind="quiet"', 'data-kind="danger"'];
const states = ["", "disabled", 'aria-pressed="true"', 'aria-pressed="true" disabled'];
const more = ['aria-expanded="true"', 'aria-expanded="true" disabled'];
const sizes = ["", 'data-size="s"', 'data-size="xs"'];
const sign = '<svg class="i" viewBox="0 0 20 20"></svg>';

const elementHtml = (tag: string, className: string, attributes: string, inner = "") => {
  const name = `${className || tag} ${attributes}`.replaceAll('"', "").trim();
  return `<${tag} class="${className}" ${attributes} data-name="${name}">${inner}</${tag}>`;
};
const TEXTS = [
  ...kinds.flatMap((kind) =>
    [...states, ...more].map((state) => elementHtml("button", "btn", `${kind} ${state}`, "Save")),
  ),
  ...["", "disabled"].flatMap((state) => [
    `<span class="field">${elementHtml("input", "", `${state} value="x"`)}</span>`,
    `<span class="field">${elementHtml("textarea", "", state, "x")}</span>`,
    `<span class="field">${elementHtml("select", "", state, "<option>x</option>")}</span>`,
  ]),
  `<div class="seg">${elementHtml("button", "", "", "All")}
    ${elementHtml("button", "", 'aria-pressed="true"', "One")}</div>`,
];
const SYMBOLS = [
  ...kinds.flatMap((kind) =>
    states.map((state) => elementHtml("button", "btn", `${kind} ${state}`, sign)),
  ),
  ...sizes.flatMap((size) =>
    [...states, ...more].map((state) =>
      elementHtml("button", "icon-btn", `${size} ${state}`, sign),
    ),
  ),
  ...["", "disabled", "checked", "checked disabled"].map((state) =>
    elementHtml("input", "switch", `type="checkbox" ${state}`),
  ),
];

const BODY = `<main class="sheet"><div class="texts">${TEXTS.join("\n")}</div>
  <div class="signs">${SYMBOLS.join("\n")}</div></main>`;

let page: Page;
let session: CDPSession;
beforeAll(async () => {
  const browser = await openBrowser();
  page = await browser.newPage();
  const paths = SHEETS.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: WEB })].sort());
  const styles = await Promise.all(paths.map((path) => Bun.file(join(WEB, path)).text()));
  await page.setContent(`<!doctype html><body>${BODY}</body>`);
  await page.addStyleTag({ content: `${LAYERS}\n${styles.join("\n")}` });
  await page.addStyleTag({ content: "*, ::after { transition: none !important }" });
  const entry = join(import.meta.dir, "page/contrast.ts");
  const built = await Bun.build({ entrypoints: [entry], target: "browser" });
  await page.addScriptTag({ content: await built.outputs[0]!.text(), type: "module" });
  await page.waitForFunction(() => typeof globalThis.contrastsOf === "function");
  session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
});
afterAll(() => page?.close());

/** Forces hover or active styles on all elements. */
async function force(forcedPseudoClasses: string[]): Promise<void> {
  const { root } = await session.send("DOM.getDocument");
  const all = { nodeId: root.nodeId, selector: "[data-name]" };
  const { nodeIds } = await session.send("DOM.querySelectorAll", all);
  for (const nodeId of nodeIds) {
    await session.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses });
  }
}

const SCHEMES = ["light", "dark"].flatMap((scheme) =>
  [false, true].map((hasContrast) => [scheme, hasContrast ? "more" : "usual"] as const),
);
const POINTERS = [[], ["hover"], ["hover", "active"], ["focus", "focus-visible"]];

test.each(SCHEMES)("shows controls in all states readably, %s with %s contrast", async (...as) => {
  const [scheme, contrast] = as;
  await page.evaluate(
    ([chosen, expected]) => {
      const { dataset } = document.documentElement;
      dataset["scheme"] = chosen!;
      if (expected === "more") dataset["contrast"] = "";
      else delete dataset["contrast"];
    },
    [scheme, contrast],
  );
  const faults: string[] = [];
  for (const pointer of POINTERS) {
    await force(pointer);
    for (const [selector, least] of [
      [".texts [data-name]", TEXT_MIN],
      [".signs [data-name]", SIGN_MIN],
    ] as const) {
      const contrasts = await page.evaluate((which) => globalThis.contrastsOf(which), selector);
      expect(contrasts.length).toBeGreaterThan(20);
      const low = contrasts.filter((item) => item.contrast < least);
      faults.push(
        ...low.map((item) => `${item.name} [${pointer.join(" ")}]: ${item.contrast.toFixed(2)}`),
      );
    }
  }
  expect(faults).toEqual([]);
});
