// What is put into a text that one writes: what one has marked in messages, and emoji.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { stands, Street } from "./street.ts";

const street = await Street.ofFile();

test("what one has marked over several messages is quoted of each", async () => {
  const ids: number[] = [];
  const said = ["one **two** three", "```js\nall();\n```", "four five", "not meant"];
  for (const content of said) ids.push((await street.post("ada", content)).id);
  const page = await (await street.seatOf("bo")).tab(street.place);
  await stands(page, "live");
  await page.locator("body[data-whole]").waitFor();
  await page.locator(`#m${ids[0]}`).focus();
  await mark(page, [`#m${ids[0]} strong`, 0], [`#m${ids[2]} p`, "four".length]);
  await page.keyboard.press(">");
  await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("four"));
  const text = await page.locator(".compose textarea").inputValue();
  const who = `@_**Ada Admin|${street.town.idOf("ada")}**`;
  const quoted = (id: number, content: string, fence = "```") => {
    const address = `${street.town.url}${street.place}/near/${id}`;
    return `${who} [said](${address}):\n${fence}quote\n${content}\n${fence}\n`;
  };
  expect(text.trim()).toBe(
    [
      quoted(ids[0]!, "**two** three"),
      quoted(ids[1]!, "```JavaScript\nall();\n```", "````"),
      quoted(ids[2]!, "four"),
    ]
      .join("\n")
      .trim(),
  );
  // At another message its own words are meant.
  await page.locator(".compose textarea").fill("");
  await page.locator(`#m${ids[3]}`).focus();
  await page.keyboard.press(">");
  await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("not meant"));
  expect(await page.locator(".compose textarea").inputValue()).not.toContain("four");
});

/** From one place in the text of an element to one in that of another, as a pointer does. */
const mark = (page: Page, ...ends: [selector: string, at: number][]) =>
  page.evaluate((all) => {
    const [from, to] = all.map(([selector, at]) => ({
      node: document.querySelector(selector)!.firstChild!,
      at,
    }));
    getSelection()!.setBaseAndExtent(from!.node, from!.at, to!.node, to!.at);
  }, ends);

test("an emoji is picked by its picture, and stands where one writes", async () => {
  const seat = await street.seatOf("cy");
  const page = await seat.tab(street.place);
  await stands(page, "live");
  const area = page.locator(".compose textarea:enabled");
  await area.fill("Well done");
  await page.keyboard.press("Control+End");
  await page.locator(".compose").getByRole("button", { name: "Emoji", exact: true }).click();
  await page.locator(".emoji-pop input:focus").waitFor();
  await page.keyboard.type("tada");
  await page.locator(".emoji-pop [data-active]").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".emoji-pop").waitFor({ state: "detached" });
  await page.locator(".compose textarea:focus").waitFor();
  await page.keyboard.type("to all");
  expect(await area.inputValue()).toBe("Well done :tada: to all");
  // Closed without one, all stays as it is.
  await page.locator(".compose").getByRole("button", { name: "Emoji", exact: true }).click();
  await page.locator(".emoji-pop input:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".compose textarea:focus").waitFor();
  expect(await area.inputValue()).toBe("Well done :tada: to all");
  expect(seat.faults).toEqual([]);
});
