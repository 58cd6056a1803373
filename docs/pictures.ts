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
/** When the demo has had its night, and who is on it is at work. */
const MORNING_HOUR = 10;
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
    async act(page) {
      const tip = page.getByRole("button", { name: "Got it" });
      await tip.click();
      await tip.waitFor({ state: "detached" });
    },
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
  { name: "search", address: "#narrow/search/fans", awaited: "you are in", ...HELP_SIZE },
  {
    name: "notifications",
    address: "#settings/notifications",
    awaited: "Notify me about",
    ...HELP_SIZE,
    async act(page) {
      const table = page.locator("table").filter({ hasText: "Notify me about" });
      await table.evaluate((node) => node.scrollIntoView({ block: "center" }));
    },
  },
  { name: "new-channel", address: "#channels/new", awaited: "Who can see it", ...HELP_SIZE },
  {
    name: "rights",
    address: "#organization/permissions",
    awaited: "Who can send email invitations",
    ...HELP_SIZE,
  },
  {
    // The last, as what is typed there is a draft that others would count.
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
];

/** Those whose names are given, or all. */
const names = process.argv.slice(2);
const unknown = names.find(
  (name) => ![...PICTURES, ...HELP].some((picture) => picture.name === name),
);
if (unknown !== undefined) throw new Error(`there is no picture ${unknown}`);
const isSelected = ({ name }: Picture) => names.length === 0 || names.includes(name);

const FAMILIES = Object.keys(FACES);
/** Read at once, so that one that is not there ends the run before it begins. */
const fonts = new Map<string, Buffer>();
for (const [family, path] of Object.entries(FACES)) {
  fonts.set(family, Buffer.from(await Bun.file(join(FONTS, path)).bytes()));
}
const STYLE = [
  ...FAMILIES.map(
    (family) =>
      `@font-face { font-family: "${family}"; font-weight: 100 900;
        src: url("/picture-fonts/${encodeURIComponent(family)}") }`,
  ),
  `html { --font: ${FAMILIES.map((family) => `"${family}"`).join()}, sans-serif !important }`,
].join("\n");

// What people say of the night and of the morning is so on the clocks of the demo and the browser.
const east = ((MORNING_HOUR - new Date().getUTCHours() + 36) % 24) - 12;
// The signs in the names of these zones are the other way round.
const timezoneId = `Etc/GMT${east > 0 ? "-" : "+"}${Math.abs(east)}`;
process.env["TZ"] = timezoneId;

const folder = mkdtempSync(join(tmpdir(), "skein-pictures-"));
const browser = await launchChromium();
const demo = await Demo.start(folder);
try {
  const { context, page } = await pageOf(2);
  await page.goto(demo.link);
  await page.locator(".sidebar, main").first().waitFor();
  for (const picture of PICTURES.filter(isSelected)) {
    const png = await screenshotOf(page, picture, picture.isDark === true);
    await Bun.write(join(OUT, `${picture.name}.webp`), await shrunk(png, BYTES_MAX));
  }
  // The link works once, so the second browser has the session of the first.
  const { page: helpPage, context: helpContext } = await pageOf(HELP_DOTS);
  await helpContext.addCookies(await context.cookies());
  for (const picture of HELP.filter(isSelected)) {
    for (const scheme of ["light", "dark"] as const) {
      const png = await screenshotOf(helpPage, picture, scheme === "dark");
      const path = join(OUT, "help", `${picture.name}-${scheme}.webp`);
      await Bun.write(path, await shrunk(png, HELP_BYTES_MAX));
    }
  }
} finally {
  await browser.close();
  await demo.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function pageOf(deviceScaleFactor: number) {
  // The fonts are of the picture alone: the client's policy would not have them.
  const context = await browser.newContext({ deviceScaleFactor, timezoneId, bypassCSP: true });
  await context.route("**/picture-fonts/*", (route) => {
    const family = decodeURIComponent(route.request().url().split("/").at(-1)!);
    return route.fulfill({ body: fonts.get(family)! });
  });
  // Nobody reads while they are taken: what is new stays so, in each as in the others.
  await context.addInitScript("document.hasFocus = () => false");
  // The demo sends no mail; what the help tells of does.
  await context.route("**/json/register", async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      json: { ...(await response.json()), server_sends_mail: true },
    });
  });
  return { context, page: await context.newPage() };
}

/** Begun anew each time, so that nothing is open of the picture before. */
async function screenshotOf(page: Page, picture: Picture, isDark: boolean): Promise<Uint8Array> {
  const { name, address, awaited, width, height, act } = picture;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light", reducedMotion: "reduce" });
  await page.goto("about:blank");
  await page.goto(new URL(`/${address}`, demo.link).href);
  try {
    await page.getByText(awaited).first().waitFor();
    await page.locator("body[data-whole]").waitFor();
    await page.addStyleTag({ content: STYLE });
    // One that is not there is refused here.
    await page.evaluate(
      (families) => Promise.all(families.map((family) => document.fonts.load(`1em "${family}"`))),
      FAMILIES,
    );
    await act?.(page);
    await page.waitForFunction(isAtRest);
  } catch (error) {
    throw new Error(`the picture ${name} is not to be had`, { cause: error });
  }
  return page.screenshot();
}

/** Nothing is on its way, nothing failed to come, and nothing is told that passes. */
function isAtRest(): boolean {
  const isSeen = (node: Element) => {
    const { top, bottom } = node.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  const passing = document.querySelectorAll("[aria-busy=true], .toast, [role=alert]:not(:empty)");
  if ([...passing].some((node) => node.checkVisibility() && isSeen(node))) return false;
  // Those out of sight are fetched when one scrolls there.
  const images = [...document.images].filter(isSeen);
  return images.every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
}

/** The best quality within the bound. */
async function shrunk(png: Uint8Array, bytes_max: number): Promise<Uint8Array> {
  for (const quality of QUALITIES) {
    const bytes = await new Bun.Image(png).webp({ quality }).bytes();
    if (bytes.length <= bytes_max) return bytes;
  }
  throw new Error("the picture does not get small enough");
}
