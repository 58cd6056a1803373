// Makes the pictures of the README and of the help, from the sample organization in a real browser.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { HELP_DOTS } from "../src/assets/help-files.ts";
import { Demo } from "../test/commands/demo.ts";
import { launchChromium } from "../test/web/chromium.ts";

const OUT = join(import.meta.dir, "pictures");
const FONTS = join(import.meta.dir, "../node_modules");
/** The browser of the tests has no emoji, and no font that people have on their screens. */
const FACES = {
  Inter: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  "Noto Color Emoji": "@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff2",
};
const BYTES_MAX = 150_000;
/** Of the help there are many, in both schemes. */
const HELP_BYTES_MAX = 36_500;
const QUALITIES = [85, 75, 65, 55, 45, 38, 32, 26, 20] as const;

interface Picture {
  name: string;
  address: string;
  /** What must stand there before the picture is taken. */
  awaited: string;
  width: number;
  height: number;
  isDark?: boolean;
  /** What is done before it is taken. */
  act?: (page: Page) => Promise<unknown>;
}

const PICTURES: readonly Picture[] = [
  {
    name: "topic",
    address: "#narrow/channel/4-release/topic/0.2E2.20checklist",
    awaited: "Two things are left",
    ...{ width: 1360, height: 860 },
  },
  {
    name: "inbox-dark",
    address: "#inbox",
    awaited: "frost alarm",
    ...{ width: 1360, height: 860, isDark: true },
  },
  {
    name: "phone",
    address: "#narrow/channel/5-frost-alarm/topic/Alentejo.20nights",
    awaited: "Mast 3",
    ...{ width: 390, height: 780 },
  },
];

const HELP_SIZE = { width: 920, height: 540 };
const FROST = "#narrow/channel/5-frost-alarm/topic/Alentejo.20nights";

/** Each in both schemes. */
const HELP: readonly Picture[] = [
  { name: "topic", address: FROST, awaited: "Mast 3", ...HELP_SIZE },
  { name: "inbox", address: "#inbox", awaited: "frost alarm", ...HELP_SIZE },
  {
    name: "switcher",
    address: "#inbox",
    awaited: "frost alarm",
    ...HELP_SIZE,
    async act(page) {
      await page.keyboard.press("Control+k");
      await page.locator(".palette input, [role=combobox]").first().waitFor();
      await page.keyboard.type("fro");
      await page.getByRole("option").nth(2).waitFor();
    },
  },
  {
    name: "mention",
    address: "#narrow/channel/4-release/topic/0.2E2.20checklist",
    awaited: "Two things are left",
    ...HELP_SIZE,
    async act(page) {
      const text = page.locator("form textarea:enabled");
      // What the other scheme's picture left there is a draft now.
      await text.fill("");
      await text.pressSequentially("Can you look at that line tomorrow, @");
      await page.getByRole("option").nth(2).waitFor();
    },
  },
  { name: "search", address: "#narrow/search/mast", awaited: "mast", ...HELP_SIZE },
  {
    name: "notifications",
    address: "#settings/notifications",
    awaited: "What happens",
    ...HELP_SIZE,
    async act(page) {
      const table = page.locator("table").filter({ hasText: "What happens" });
      await table.evaluate((node) => node.scrollIntoView({ block: "center" }));
    },
  },
  { name: "new-channel", address: "#channels/new", awaited: "Who can see it", ...HELP_SIZE },
  {
    name: "rights",
    address: "#organization/permissions",
    awaited: "Who may invite",
    ...HELP_SIZE,
  },
];

/** Those whose names are given, or all. */
const names = process.argv.slice(2);
const isWanted = ({ name }: Picture) => names.length === 0 || names.includes(name);

const STYLE = [
  ...Object.keys(FACES).map(
    (family) =>
      `@font-face { font-family: "${family}"; font-weight: 100 900;
        src: url("/picture-fonts/${encodeURIComponent(family)}") }`,
  ),
  `html { --font: ${Object.keys(FACES)
    .map((family) => `"${family}"`)
    .join()}, sans-serif !important }`,
].join("\n");

const folder = mkdtempSync(join(tmpdir(), "skein-pictures-"));
const browser = await launchChromium();
const demo = await Demo.start(folder);
try {
  // The fonts are of the picture alone: the client's policy would not have them.
  const pageOf = async (deviceScaleFactor: number) => {
    const context = await browser.newContext({ deviceScaleFactor, bypassCSP: true });
    await context.route("**/picture-fonts/*", (route) => {
      const family = decodeURIComponent(route.request().url().split("/").at(-1)!);
      return route.fulfill({ path: join(FONTS, FACES[family as keyof typeof FACES]) });
    });
    const page = await context.newPage();
    return { context, page };
  };
  const { context, page } = await pageOf(2);
  await page.goto(demo.link);
  await page.locator(".rail, main").first().waitFor();
  for (const picture of PICTURES.filter(isWanted)) {
    const png = await taken(page, picture, picture.isDark === true);
    await Bun.write(join(OUT, `${picture.name}.webp`), await small(png, BYTES_MAX));
  }
  // The link works once, so the second browser has the session of the first.
  const { page: helpPage, context: helpContext } = await pageOf(HELP_DOTS);
  await helpContext.addCookies(await context.cookies());
  for (const picture of HELP.filter(isWanted)) {
    for (const scheme of ["light", "dark"] as const) {
      const png = await taken(helpPage, picture, scheme === "dark");
      const path = join(OUT, "help", `${picture.name}-${scheme}.webp`);
      await Bun.write(path, await small(png, HELP_BYTES_MAX));
    }
  }
  await helpContext.close();
  await context.close();
} finally {
  await browser.close();
  await demo.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Begun anew each time, so that nothing is open of the picture before. */
async function taken(page: Page, picture: Picture, isDark: boolean): Promise<Uint8Array> {
  const { address, awaited, width, height, act } = picture;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light", reducedMotion: "reduce" });
  await page.goto("about:blank");
  await page.goto(new URL(`/${address}`, demo.link).href);
  await page.getByText(awaited).first().waitFor();
  await page.locator("body[data-whole]").waitFor();
  await page.addStyleTag({ content: STYLE });
  await page.evaluate(() => document.fonts.ready);
  await act?.(page);
  // Those out of sight are fetched when one scrolls there.
  await page.waitForFunction(() =>
    [...document.images].every((image) => {
      const { top, bottom } = image.getBoundingClientRect();
      return image.complete || bottom < 0 || top > innerHeight;
    }),
  );
  return page.screenshot();
}

/** The best quality within the bound. */
async function small(png: Uint8Array, bytes_max: number): Promise<Uint8Array> {
  for (const quality of QUALITIES) {
    const bytes = await new Bun.Image(png).webp({ quality }).bytes();
    if (bytes.length <= bytes_max) return bytes;
  }
  throw new Error("the picture does not get small enough");
}
