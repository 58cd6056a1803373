// Pasting into the composer.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { BrowserSession } from "./browser-session.ts";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

// Each test has its own server, because text left in one test would be a draft in the next.
let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

const textField = (page: Page) => page.locator(".compose textarea");
const textOf = (page: Page) => textField(page).inputValue();

async function openComposer(browserSession: BrowserSession): Promise<Page> {
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await textField(page).click();
  return page;
}

function paste(page: Page, text: string, html: string): Promise<void> {
  return textField(page).evaluate(
    (node, data) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", data.text);
      clipboardData.setData("text/html", data.html);
      const payload = { clipboardData, bubbles: true, cancelable: true };
      node.dispatchEvent(new ClipboardEvent("paste", payload));
    },
    { text, html },
  );
}

const CASES: [text: string, html: string, becomes: string][] = [
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
  [
    "a@b.example now",
    `<a href="mailto:a@b.example">a@b.example</a> <b>now</b>`,
    "a@b.example **now**",
  ],
  [
    "let a;\nlet b;",
    `<meta charset='utf-8'><div style="color: #ccc;font-family: 'Droid Mono', monospace;">
       <div><span>let</span> a;</div><div>let b;</div></div>`,
    "```\nlet a;\nlet b;\n```",
  ],
  [
    "Press k.\nThen b.",
    `<p>Press <code style="font-family: monospace">k</code>.</p><p>Then <b>b</b>.</p>`,
    "Press `k`.\n\nThen **b**.",
  ],
  [
    "From\nx\ta\nTo",
    "<h3>From</h3><table><tr><td>x<td>a<tr><td>y<td>b | c</table><p>To</p>",
    ["### From", "", "| x | a |", "| --- | --- |", String.raw`| y | b \| c |`, "", "To"].join("\n"),
  ],
  ["5", "<table><tr><td><b>5</b></td></tr></table>", "**5**"],
  [
    "Bold it\na\nb",
    `<b style="font-weight:normal" id="docs-internal-guid-1"><p>
       <span style="font-size:11pt;font-weight:700">Bold</span>
       <span style="font-style:italic">it</span></p>
       <ul><li>a</li><ul><li>b</li></ul></ul></b>`,
    "**Bold** *it*\n\n- a\n  - b",
  ],
  ["a\nb", "<pre>a<br>b</pre>", "```\na\nb\n```"],
  [
    "Bread\nTea",
    `<input type="checkbox"><ul><li><input type="checkbox" checked disabled> Bread</li>
       <li><p><input type="checkbox"> <b>Tea</b></p></li></ul>`,
    "- [x] Bread\n- [ ] **Tea**",
  ],
];

test("converts pasted HTML to Markdown", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await openComposer(browserSession);
  const link = new URL(fixture.topicUrl, browserSession.url).href;
  for (const [text, html, becomes] of [...CASES, [link, "", "#**design>logo**"]] as const) {
    await textField(page).fill("");
    await paste(page, text, html);
    expect((await textOf(page)).trim()).toBe(becomes);
  }
  await textField(page).fill("see this");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await paste(page, "https://x.example/a", "");
  expect(await textOf(page)).toBe("see [this](https://x.example/a)");
  await textField(page).fill("ask her");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await paste(page, "a@b.example", "");
  expect(await textOf(page)).toBe("ask [her](mailto:a@b.example)");
  expect(browserSession.faults).toEqual([]);
});

test("keeps pasted text in code, as a link's URL and with Shift", async () => {
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await openComposer(browserSession);
  const copy = (text: string, html: string) =>
    page.evaluate(
      async ([plain, rich]) => {
        const forms = { "text/plain": plain!, "text/html": rich! };
        await navigator.clipboard.write([new ClipboardItem(forms)]);
      },
      [text, html],
    );
  const pasteInto = async (text: string, [start, end]: [number, number], keys: string) => {
    await textField(page).fill(text);
    await textField(page).evaluate(
      (node: HTMLTextAreaElement, ends) => node.setSelectionRange(...ends),
      [start, end] as [number, number],
    );
    await page.keyboard.press(keys);
    return textOf(page);
  };
  await copy("so bold", "so <b>bold</b>");
  expect(await pasteInto("", [0, 0], "Control+v")).toBe("so **bold**");
  expect(await pasteInto("", [0, 0], "Control+Shift+v")).toBe("so bold");
  expect(await pasteInto("```\nx\n```", [4, 5], "Control+v")).toBe("```\nso bold\n```");
  expect(await pasteInto("run `x` now", [5, 6], "Control+v")).toBe("run `so bold` now");
  const address = new URL(fixture.topicUrl, browserSession.url).href;
  await copy(address, address);
  expect(await pasteInto("see this", [4, 8], "Control+Shift+v")).toBe(`see ${address}`);
  expect(await pasteInto("", [0, 0], "Control+v")).toBe("#**design>logo**");
  await textField(page).fill("see this");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await page.keyboard.press("Control+Shift+L");
  await page.keyboard.press("Control+v");
  expect(await textOf(page)).toBe(`see [this](${address})`);
  expect(browserSession.faults).toEqual([]);
});

test("fences code from editors that name its language", async () => {
  const page = await openComposer(await fixture.sessionOf("bo"));
  const pasteCode = (received: string) =>
    textField(page).evaluate((node, mode) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "let a;\n  b();\n");
      clipboardData.setData("vscode-editor-data", mode);
      const lines = { clipboardData, bubbles: true, cancelable: true };
      node.dispatchEvent(new ClipboardEvent("paste", lines));
    }, received);
  await textField(page).fill("");
  await pasteCode(`{"version":1,"mode":"typescript"}`);
  expect(await textOf(page)).toBe("```typescript\nlet a;\n  b();\n```\n");
  await textField(page).fill("");
  await pasteCode(`{"version":1,"mode":"plaintext"}`);
  expect(await textOf(page)).toBe("```\nlet a;\n  b();\n```\n");
});
