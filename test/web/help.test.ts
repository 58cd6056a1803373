// The pages of the help: every link in them leads somewhere, each is reached, and none has a fault.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { HELP, helpPages } from "../../src/assets/help.ts";
import { parse, type DefaultTreeAdapterMap } from "parse5";
import { join } from "node:path";
import { openTown, type Town } from "../town.ts";
import { faultsOf, LOOKS, look } from "./axe.ts";
import { closeBrowser, Seat } from "./browser.ts";

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(async () => {
  await closeBrowser();
  await town.close();
});

type Node = DefaultTreeAdapterMap["node"];

function hrefsIn(node: Node): string[] {
  const own = "attrs" in node ? node.attrs.filter(({ name }) => name === "href") : [];
  const inside = "childNodes" in node ? node.childNodes.flatMap(hrefsIn) : [];
  return [...own.map(({ value }) => value), ...inside];
}

test("every link leads to something, and the contents lead to every page", async () => {
  const pages = await helpPages("/assets/help.css");
  expect(pages.length).toBeGreaterThan(25);
  const paths = pages.map(({ path }) => path);
  const elsewhere = ["/", "/assets/help.css"];
  const broken = pages.flatMap(({ path, html }) =>
    hrefsIn(parse(html))
      .filter((href) => !/^https?:/.test(href) && ![...paths, ...elsewhere].includes(href))
      .map((href) => `${path}: ${href}`),
  );
  expect(broken).toEqual([]);
  const reached = hrefsIn(parse(pages[0]!.html));
  expect(paths.filter((path) => path !== "/help/" && !reached.includes(path))).toEqual([]);
});

test("what a page says in its title is what the contents call it", async () => {
  const contents = await Bun.file(join(HELP, "README.md")).text();
  for (const [, words, name] of contents.matchAll(/\[([^\]]+)\]\(([\w-]+)\.md\)/g)) {
    const page = await Bun.file(join(HELP, `${name}.md`)).text();
    expect(page).toStartWith(`# ${words}\n`);
  }
});

test("they are handed out to anybody, run no script, and what is none is not there", async () => {
  expect((await town.send(null, "GET //help/")).status).toBe(200);
  const answer = await town.send(null, "GET //help/topics/");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-security-policy")).not.toContain("script-src");
  expect(await answer.text()).toContain("<h1>Channels, topics, messages</h1>");
  expect((await fetch(`${town.url}/help/README/`)).status).toBe(404);
  expect((await fetch(`${town.url}/help/../sw/`)).status).toBe(404);
});

test("they are found by the switcher and by the list of keys, and are without fault", async () => {
  const seat = await Seat.of(town, "bo");
  const page = await seat.tab("/");
  await page.locator("main[data-standing=live]").waitFor();
  await page.keyboard.press("?");
  const link = page.getByRole("link", { name: "More about it in the help" });
  expect(await link.getAttribute("href")).toBe("/help/");
  await page.keyboard.press("Escape");
  await link.waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("coming from slack");
  const option = page.getByRole("option", { name: "Coming from Slack, Mattermost" });
  const [help] = await Promise.all([seat.context.waitForEvent("page"), option.click()]);
  await help.getByRole("heading", { level: 1, name: /Coming from Slack/ }).waitFor();
  for (const looked of LOOKS) {
    await look(help, looked);
    expect(await faultsOf(help)).toEqual([]);
    const width = await help.evaluate("document.documentElement.scrollWidth");
    expect(Number(width)).toBeLessThanOrEqual(looked.width);
  }
  expect(seat.faults).toEqual([]);
  await seat.close();
});
