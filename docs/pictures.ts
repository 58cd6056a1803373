// Makes the pictures of the README, from the sample organization in a real browser.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Demo } from "../test/commands/demo.ts";
import { closeBrowser, openBrowser } from "../test/web/browser.ts";

const OUT = join(import.meta.dir, "pictures");
const FONTS = join(import.meta.dir, "../node_modules");
/** The browser of the tests has no emoji, and no font that people have on their screens. */
const FACES = {
  Inter: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  "Noto Color Emoji": "@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff2",
};
const BYTES_MAX = 150_000;
const QUALITIES = [85, 75, 65, 55] as const;

interface Picture {
  name: string;
  address: string;
  /** What must stand there before the picture is taken. */
  awaited: string;
  width: number;
  height: number;
  isDark?: boolean;
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
const demo = await Demo.start(folder);
try {
  const browser = await openBrowser();
  // The fonts are of the picture alone: the client's policy would not have them.
  const context = await browser.newContext({ deviceScaleFactor: 2, bypassCSP: true });
  await context.route("**/picture-fonts/*", (route) => {
    const family = decodeURIComponent(route.request().url().split("/").at(-1)!);
    return route.fulfill({ path: join(FONTS, FACES[family as keyof typeof FACES]) });
  });
  const page = await context.newPage();
  await page.goto(demo.link);
  await page.locator(".rail, main").first().waitFor();
  for (const { name, address, awaited, width, height, isDark } of PICTURES) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: isDark ? "dark" : "light", reducedMotion: "reduce" });
    await page.goto(new URL(`/${address}`, demo.link).href);
    await page.getByText(awaited).first().waitFor();
    await page.addStyleTag({ content: STYLE });
    await page.evaluate(() => document.fonts.ready);
    // Those out of sight are fetched when one scrolls there.
    await page.waitForFunction(() =>
      [...document.images].every((image) => {
        const { top, bottom } = image.getBoundingClientRect();
        return image.complete || bottom < 0 || top > innerHeight;
      }),
    );
    await Bun.write(join(OUT, `${name}.webp`), await small(await page.screenshot()));
  }
  await context.close();
} finally {
  await closeBrowser();
  await demo.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The best quality within the bound. */
async function small(png: Uint8Array): Promise<Uint8Array> {
  for (const quality of QUALITIES) {
    const bytes = await new Bun.Image(png).webp({ quality }).bytes();
    if (bytes.length <= BYTES_MAX) return bytes;
  }
  throw new Error("the picture does not get small enough");
}
