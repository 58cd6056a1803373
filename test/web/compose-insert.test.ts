// Quotes and emoji that are inserted into the composer.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

test("quotes each message of a selection over several", async () => {
  const ids: number[] = [];
  const lines = ["one **two** three", "```js\nall();\n```", "four five", "not meant"];
  for (const content of lines) ids.push((await fixture.post("ada", content)).id);
  const page = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator("body[data-whole]").waitFor();
  await mark(page, [`#m${ids[0]}`, "two"], [`#m${ids[2]}`, "four"]);
  // Marking messages as read and reactions by others do not change the selection.
  for (const id of ids)
    await fixture.testServer.request("ada", `POST /messages/${id}/reactions`, {
      emoji_name: "tada",
    });
  await page.locator(`#m${ids[3]} .react`).waitFor();
  for (const id of ids) await page.locator(`#m${id}:not([data-unread])`).waitFor();
  await page.keyboard.press(">");
  await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("four"));
  const text = await page.locator(".compose textarea").inputValue();
  const name = `@_**Ada Admin|${fixture.testServer.idOf("ada")}**`;
  const quoteOf = (id: number, content: string, fence = "```") => {
    const address = `${fixture.testServer.url}${fixture.topicUrl}/near/${id}`;
    return `${name} [said](${address}):\n${fence}quote\n${content}\n${fence}\n`;
  };
  expect(text.trim()).toBe(
    [
      quoteOf(ids[0]!, "**two** three"),
      quoteOf(ids[1]!, "```JavaScript\nall();\n```", "````"),
      quoteOf(ids[2]!, "four"),
    ]
      .join("\n")
      .trim(),
  );
  // For a message outside the selection, the key quotes that message.
  await page.locator(".compose textarea").fill("");
  await page.locator(`#m${ids[3]}`).focus();
  await page.keyboard.press(">");
  await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("not meant"));
  expect(await page.locator(".compose textarea").inputValue()).not.toContain("four");
});

type SelectionEnd = [row: string, text: string];

/** Selects from the start of one text to the end of another; repeats it if rows moved meanwhile. */
async function mark(page: Page, from: SelectionEnd, to: SelectionEnd): Promise<void> {
  for (let marked = ""; !(marked.startsWith(from[1]) && marked.endsWith(to[1]));) {
    // Pressing on selected text would drag it.
    await page.evaluate(() => getSelection()!.removeAllRanges());
    await drag(page, from, to);
    marked = await page.evaluate(() => getSelection()!.toString().trim());
  }
}

/** Drags the pointer from the start of the first text to the end of the last one. */
async function drag(page: Page, ...ends: SelectionEnd[]): Promise<void> {
  const boxes = await page.evaluate(
    (all) =>
      all.map(([row, text]) => {
        const walk = document.createTreeWalker(
          document.querySelector(`${row} .md`)!,
          NodeFilter.SHOW_TEXT,
        );
        while (!walk.nextNode()!.textContent!.includes(text));
        const range = new Range();
        const index = walk.currentNode.textContent!.indexOf(text);
        range.setStart(walk.currentNode, index);
        range.setEnd(walk.currentNode, index + text.length);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        return { left, right, y: (top + bottom) / 2 };
      }),
    ends,
  );
  const [from, to] = boxes;
  await page.mouse.move(from!.left, from!.y);
  await page.mouse.down();
  await page.mouse.move(to!.right, to!.y, { steps: 5 });
  await page.mouse.up();
}

test("inserts an emoji picked by its image at the caret", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
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
  // Closing the picker without a choice leaves the text and the focus as they were.
  await page.locator(".compose").getByRole("button", { name: "Emoji", exact: true }).click();
  await page.locator(".emoji-pop input:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".compose textarea:focus").waitFor();
  expect(await area.inputValue()).toBe("Well done :tada: to all");
  expect(browserSession.faults).toEqual([]);
});
