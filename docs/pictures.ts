// Makes the pictures of the README, from the sample organization in a real browser.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Demo } from "../test/commands/demo.ts";
import { closeBrowser, openBrowser } from "../test/web/browser.ts";

const OUT = join(import.meta.dir, "pictures");
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

const folder = mkdtempSync(join(tmpdir(), "skein-pictures-"));
const demo = await Demo.start(folder);
try {
  const browser = await openBrowser();
  const context = await browser.newContext({ deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(demo.link);
  await page.locator(".rail, main").first().waitFor();
  for (const { name, address, awaited, width, height, isDark } of PICTURES) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: isDark ? "dark" : "light", reducedMotion: "reduce" });
    await page.goto(new URL(`/${address}`, demo.link).href);
    await page.getByText(awaited).first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
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
