// Rendered message content: code, tables, and expanded details.
import { expect, test } from "bun:test";
import { until } from "../wait-until.ts";
import { striped, upload } from "../features/upload-fixture.ts";
import { faultsOf, applyLook } from "./axe.ts";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

test("aligns columns, and the header of a code block with its text", async () => {
  const { testServer } = fixture;
  for (const name of ["A place to try it in, with a long name", "Another place"]) {
    const url_template = `https://${name.length}.example/?code={code}`;
    await testServer.request("olga", "POST /realm/playgrounds", {
      name,
      pygments_language: "Python",
      url_template,
    });
  }
  await fixture.post("ada", "| a | b | c |\n|--|--:|:-:|\n| one | 2 | 3 |");
  await fixture.post("ada", "```python\nprint(1)\n```\n```\nplain\n```");
  const page = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  await page.locator(".codeblock").nth(1).waitFor();
  for (const cells of ["th", "td"]) {
    const sides = await page
      .locator(`.md ${cells}`)
      .evaluateAll((all) =>
        all.map((item) => getComputedStyle(item).textAlign.replace("-webkit-", "")),
      );
    expect(sides).toEqual(["start", "right", "center"]);
  }
  await applyLook(page, { scheme: "dark", width: 320 });
  const [namedBlock, plain] = await page.locator(".codeblock").evaluateAll((all) =>
    all.map((block) => {
      const [language, code] = [block.querySelector(".lang span")!, block.querySelector("pre")!];
      const line = Number.parseFloat(getComputedStyle(language).lineHeight);
      const actionsBox = block.querySelector(".acts")!.getBoundingClientRect();
      return {
        lines: Math.round(language.getBoundingClientRect().height / line),
        isInside: actionsBox.right <= block.getBoundingClientRect().right,
        // Distance between the top edge of the block and its code.
        above: code.getBoundingClientRect().top - block.getBoundingClientRect().top,
      };
    }),
  );
  expect(namedBlock).toMatchObject({ lines: 1, isInside: true });
  expect(plain).toEqual({ lines: 0, isInside: true, above: 0 });
  expect(await faultsOf(page)).toEqual([]);
});

test("keeps opened spoilers open and focused after a new rendering", async () => {
  const { testServer } = fixture;
  const first = "```spoiler One\n[a link](https://one.example)\n```";
  const { id } = await fixture.post("ada", `${first}\n\`\`\`spoiler Two\nsecret\n\`\`\``);
  const page = await (await fixture.sessionOf("cy")).tab(fixture.topicUrl);
  const row = page.locator(`#m${id}`);
  const areDetailsOpen = () =>
    row.locator("details").evaluateAll((all) => all.map((item) => item.matches("[open]")));
  const reactAndRedraw = async (emoji_name: string) => {
    await testServer.request("ada", `POST /messages/${id}/reactions`, { emoji_name });
    await row.getByRole("button", { name: `reacted with ${emoji_name}` }).waitFor();
  };
  await row.locator("summary").first().press("Enter");
  await reactAndRedraw("tada");
  expect(await areDetailsOpen()).toEqual([true, false]);
  await page.locator("summary:focus", { hasText: "One" }).waitFor();
  await page.keyboard.press("Tab");
  await reactAndRedraw("heart");
  await page.locator("a:focus", { hasText: "a link" }).waitFor();
  // Another spoiler is now in the place of the open one.
  const other = "```spoiler Zero\nnot to be seen\n```";
  await testServer.request("ada", `PATCH /messages/${id}`, { content: `${other}\n${first}` });
  await row.locator("summary", { hasText: "Zero" }).waitFor();
  expect(await areDetailsOpen()).toEqual([false, true]);
});

test("shows pictures in an open spoiler at once, and emoji in titles", async () => {
  const { testServer } = fixture;
  const uploadImage = (): Promise<string> =>
    upload(testServer, "ada", { name: "image.png", bytes: striped(400, 300) });
  const inner = `\`\`\`spoiler In :zulip:\n[image.png](${await uploadImage()})\n\`\`\``;
  const outer = `spoiler Out :zulip:\n[image.png](${await uploadImage()})`;
  const content = `\`\`\`\`${outer}\n${inner}\n\`\`\`\``;
  const { id } = await fixture.post("ada", content);
  const page = await (await fixture.sessionOf("cy")).tab(fixture.topicUrl);
  const row = page.locator(`#m${id}`);
  const sources = () =>
    row
      .locator("img:not(.av img)")
      .evaluateAll((all) => all.map((item) => item.hasAttribute("src")));
  await row.waitFor();
  expect(await sources()).toEqual([true, false, false, false]);
  await row.locator("summary").first().press("Enter");
  await row.locator("img[src]").nth(2).waitFor();
  expect(await sources()).toEqual([true, true, true, false]);
  const pictures = await row.locator("img").elementHandles();
  const drawn = await row.evaluateHandle((node) => {
    const has = () => node.querySelector(".spoiler[open] figure img")?.hasAttribute("src");
    const visible = new Promise((resolve) =>
      new MutationObserver(() => resolve(has())).observe(node, { childList: true, subtree: true }),
    );
    return { seen: () => visible };
  });
  await testServer.request("ada", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  expect(await drawn.evaluate(({ seen }) => seen())).toBe(true);
  expect(await sources()).toEqual([true, true, true, false]);
  // The elements are the same as before, so no image is loaded again.
  const there = await Promise.all(
    pictures.map((picture) => picture.evaluate((node) => node.isConnected)),
  );
  expect(there).toEqual(pictures.map(() => true));
});

test("shows pictures of closed spoilers nowhere else", async () => {
  const { testServer } = fixture;
  const uploadImage = (): Promise<string> =>
    upload(testServer, "ada", { name: "image.png", bytes: striped(400, 300) });
  const [plain, one, two, third] = [
    await uploadImage(),
    await uploadImage(),
    await uploadImage(),
    await uploadImage(),
  ];
  const spoilerWithImage = (path: string) => `\`\`\`spoiler\n[image.png](${path})\n\`\`\``;
  await fixture.post("ada", `[shown.png](${plain})`);
  const { id } = await fixture.post("ada", `${spoilerWithImage(one)}\n\n${spoilerWithImage(two)}`);
  const browserSession = await fixture.sessionOf("cy");
  const requests: string[] = [];
  browserSession.context.on("request", (request) => requests.push(decodeURI(request.url())));
  const page = await browserSession.tab(fixture.topicUrl);
  const row = page.locator(`#m${id}`);
  const count = () => page.locator(".lightbox-thumbs button").count();
  const areDetailsOpen = () =>
    row.locator("details").evaluateAll((all) => all.map((item) => item.matches("[open]")));
  const lightbox = page.locator(".lightbox");

  const first = page.getByRole("button", { name: "Open shown.png" });
  await first.click();
  await lightbox.waitFor();
  expect(await count()).toBe(0);
  expect(await page.getByRole("button", { name: "Next" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await row.focus();
  await page.keyboard.press("v");
  // The dialog shows that the page has handled the earlier key as well.
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  expect(await lightbox.count()).toBe(0);
  await page.keyboard.press("Escape");
  expect(
    requests.filter((url) => [one, two].some((path) => url.includes(path.slice(-40)))),
  ).toEqual([]);

  await row.locator("summary").nth(1).click();
  await testServer.request("ada", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  await row.locator(".react").waitFor();
  expect(await areDetailsOpen()).toEqual([false, true]);
  await row.locator("summary").nth(1).focus();
  await page.keyboard.press("v");
  await lightbox.waitFor();
  expect(await count()).toBe(2);
  await page.keyboard.press("Escape");
  // The same text with another image is new content, so its spoilers are closed.
  const content = `${spoilerWithImage(one)}\n\n${spoilerWithImage(third)}`;
  const before = await row.locator(".md").elementHandle();
  await testServer.request("ada", `PATCH /messages/${id}`, { content });
  await before!.waitForElementState("hidden");
  expect(await areDetailsOpen()).toEqual([false, false]);
});

/** Returns a sound file of 30 seconds of silence. */
function silentAudio(): Uint8Array<ArrayBuffer> {
  const [head, rate, seconds] = [44, 8000, 30];
  const bytes = new Uint8Array(head + rate * seconds).fill(128);
  const view = new DataView(bytes.buffer);
  const post = (offset: number, text: string) =>
    new TextEncoder().encodeInto(text, bytes.subarray(offset));
  post(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  post(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  post(36, "data");
  view.setUint32(40, bytes.length - head, true);
  return bytes;
}

test("does not load audio and video in closed spoilers", async () => {
  const { testServer } = fixture;
  const sound = { name: "sound.wav", bytes: silentAudio(), type: "audio/x-wav" };
  const [plain, first, second] = [
    await upload(testServer, "ada", sound),
    await upload(testServer, "ada", sound),
    await upload(testServer, "ada", { name: "film.mp4", bytes: "no film" }),
  ];
  const inner = `\`\`\`spoiler Inner\n[film](${second})\n\`\`\``;
  const outer = `\`\`\`\`spoiler Outer\n![sound](${first})\n${inner}\n\`\`\`\``;
  const { id } = await fixture.post("ada", `![sound](${plain})\n${outer}`);
  const browserSession = await fixture.sessionOf("cy");
  const requests: string[] = [];
  browserSession.context.on("request", (request) => requests.push(new URL(request.url()).pathname));
  const page = await browserSession.tab(fixture.topicUrl);
  const row = page.locator(`#m${id}`);
  const waitForResponse = (path: string) =>
    page.waitForResponse((response) => new URL(response.url()).pathname === path);
  const heads = row.locator("summary");
  const player = row.locator("details audio");
  await row.locator(".md > p audio").waitFor();
  await page.waitForFunction(() => document.querySelector("audio")!.readyState > 0);
  expect(requests).toContain(plain);
  expect(requests).not.toContain(first);
  // The keyboard skips closed parts.
  await heads.first().focus();
  await page.keyboard.press("Tab");
  expect(
    await row.evaluate((node) => node.querySelector("details")!.contains(document.activeElement)),
  ).toBe(false);

  const [httpResponse] = await Promise.all([waitForResponse(first), heads.first().press("Enter")]);
  expect(httpResponse.ok()).toBe(true);
  expect(requests).not.toContain(second);
  await Promise.all([waitForResponse(second), heads.nth(1).press("Enter")]);
  await player.evaluate((node: HTMLAudioElement) => node.play());
  await heads.first().press("Enter");
  await player.evaluate(
    (node: HTMLAudioElement) =>
      node.paused || new Promise((done) => node.addEventListener("pause", done)),
  );
  expect(await player.evaluate((node: HTMLAudioElement) => node.paused)).toBe(true);
});

test("keeps playing audio while its message is rendered again", async () => {
  const { testServer } = fixture;
  const path = await upload(testServer, "ada", {
    name: "a.wav",
    bytes: silentAudio(),
    type: "audio/x-wav",
  });
  const sound = `![sound](${path})`;
  const { id } = await fixture.post("ada", `${sound}\n\n${sound}`);
  const page = await (await fixture.sessionOf("cy")).tab(fixture.topicUrl);
  const players = page.locator(`#m${id} audio`);
  await players.nth(1).evaluate((node: HTMLAudioElement) => node.play());
  await players.first().evaluate((node: HTMLAudioElement) => (node.currentTime = 7));
  const isPlaying = () =>
    players.evaluateAll((all) => all.map((item) => !(item as HTMLAudioElement).paused));
  await testServer.request("ada", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  await page.locator(`#m${id} .react button`).first().waitFor();
  const timeOf = (index: number) =>
    players.nth(index).evaluate((node: HTMLAudioElement) => node.currentTime);
  const before = await timeOf(1);
  await until(async () => (await timeOf(1)) > before);
  expect(await isPlaying()).toEqual([false, true]);
  expect(await timeOf(0)).toBe(7);
  const content = `${sound}\n\n\`\`\`spoiler Silence\n${sound}\n\`\`\``;
  await testServer.request("ada", `PATCH /messages/${id}`, { content });
  await page.locator(`#m${id} summary`).waitFor();
  expect(await isPlaying()).toEqual([false, false]);
});

test("hides spoiler contents from lists, screen readers and the keyboard", async () => {
  const page = await (await fixture.sessionOf("cy")).tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const hidden = "```spoiler The end\nHe is [the butler](https://butler.example)\n```";
  const { id } = await fixture.post("ada", `It is known: [who](https://who.example)\n${hidden}`);
  const row = page.locator(`#m${id}`);
  await row.waitFor();
  const status = page.locator(".vh[role=status]", { hasText: "It is known" });
  expect(await status.first().textContent()).toEndWith("It is known: who The end …");
  await row.focus();
  const newTab = page.context().waitForEvent("page");
  await page.keyboard.press("o");
  const otherPage = await newTab;
  expect(await page.getByRole("menu").count()).toBe(0);
  await otherPage.close();
  await row.locator("summary").press("Enter");
  await row.getByText("the butler").waitFor();
  await row.focus();
  await page.keyboard.press("o");
  await page.getByRole("menuitem", { name: "the butler" }).waitFor();
  await page.keyboard.press("Escape");
  await page.goto("/#recent");
  const line = page.locator(".pre", { hasText: "It is known" });
  expect(await line.innerText()).toEndWith("It is known: who The end …");
  expect(await page.locator("main").innerText()).not.toContain("butler");
});

test("styles links to messages like links to topics, and rules as ours", async () => {
  const { id } = await fixture.post("ada", "leek");
  await fixture.post("ada", `#**design>logo** #**design>logo@${id}**\n\n---\n\nsoup`);
  const page = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  const row = page.locator("article").filter({ hasText: "soup" });
  const decorationLines = () =>
    row
      .locator(".md a")
      .evaluateAll((all) => all.map((item) => getComputedStyle(item).textDecorationLine));
  await row.waitFor();
  expect(await decorationLines()).toEqual(["none", "none"]);
  const ruleIn = async (colorScheme: "light" | "dark") => {
    await page.emulateMedia({ colorScheme });
    return row.locator("hr").evaluate((item) => getComputedStyle(item).backgroundColor);
  };
  expect(await ruleIn("light")).not.toBe(await ruleIn("dark"));
});
