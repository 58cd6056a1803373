// What is pasted into a text that one writes.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Seat } from "./browser.ts";
import { stands, Street } from "./street.ts";

const street = await Street.ofFile();

const area = (page: Page) => page.locator(".compose textarea");
const textOf = (page: Page) => area(page).inputValue();

async function writing(seat: Seat): Promise<Page> {
  const page = await seat.tab(street.place);
  await stands(page, "live");
  await area(page).click();
  return page;
}

function paste(page: Page, text: string, html: string): Promise<void> {
  return area(page).evaluate(
    (node, data) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", data.text);
      clipboardData.setData("text/html", data.html);
      const told = { clipboardData, bubbles: true, cancelable: true };
      node.dispatchEvent(new ClipboardEvent("paste", told));
    },
    { text, html },
  );
}

test("what is pasted becomes Markdown", async () => {
  const seat = await street.seatOf("bo");
  const page = await writing(seat);
  const cases: [text: string, html: string, becomes: string][] = [
    [
      "Title a b",
      `<h2>Title</h2><ul><li style="color:red">a <b>x</b></li><li><a href="https://x.example/">b</a>
       <script>alert(1)</script></li></ul>`,
      "## Title\n\n- a **x**\n- [b](https://x.example/)",
    ],
    [
      "a\tb\n1\t2\n",
      "<table><tr><td>a<td>b<tr><td>1<td>2</table>",
      "| a | b |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "if (x)\n  y()",
      `<div style="font-family: Menlo, monospace"><div>if (x)</div><div>  y()</div></div>`,
      "```\nif (x)\n  y()\n```",
    ],
    [new URL(street.place, seat.url).href, "", "#**design>logo**"],
    [
      "a@b.example now",
      `<a href="mailto:a@b.example">a@b.example</a> <b>now</b>`,
      "a@b.example **now**",
    ],
  ];
  for (const [text, html, becomes] of cases) {
    await area(page).fill("");
    await paste(page, text, html);
    expect((await textOf(page)).trim()).toBe(becomes);
  }
  await area(page).fill("see this");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await paste(page, "https://x.example/a", "");
  expect(await textOf(page)).toBe("see [this](https://x.example/a)");
  await area(page).fill("ask her");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await paste(page, "a@b.example", "");
  expect(await textOf(page)).toBe("ask [her](mailto:a@b.example)");
  expect(seat.faults).toEqual([]);
});
