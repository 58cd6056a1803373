// Images, previews and hostile content in messages.
import axe from "axe-core";
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { striped, upload } from "../features/upload-fixture.ts";
import { BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeEach(async () => {
  fixture = await BrowserFixture.open();
});
afterEach(() => fixture.close());

/** Attempts of script injection. */
const TRAPS = [
  `<img src=x onerror="window.trapped = 1">`,
  `<svg onload="window.trapped = 1"></svg>`,
  `"><script>window.trapped = 1</script>`,
  `<a href="javascript:window.trapped = 1">x</a>`,
  `<iframe srcdoc="<script>parent.trapped = 1</script>"></iframe>`,
  `<math><mtext><table><mglyph><style><!--</style>` +
    `<img title="--><img src=x onerror=window.trapped=1>">`,
  `<video controls poster="https://elsewhere.example/x" src="/x.mp4"></video>`,
  `<form action="/json/users/me" method="post"><input name="x"></form>`,
  `<div style="background-image: url(&quot;https://elsewhere.example/x&quot;)" ` +
    `data-act="delete-message" data-on="1">x</div>`,
];

/** A layer that is no placeholder any more. */
const LOADED_LAYER = ":is(.pop, .dialog):not(:has([aria-busy=true]))";
const RULES = JSON.stringify(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]);

async function faultsOf(page: Page): Promise<string[]> {
  // The CSP blocks axe, so it is loaded through the debugging protocol.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe.source });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, { runOnly: ${RULES} })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return result.value as string[];
}

test("shows hostile names, topics, files, statuses and polls as text", async () => {
  const { testServer, stream_id } = fixture;
  const [image, svg, script] = TRAPS as [string, string, string];
  await testServer.request("bo", "POST /users/me/status", { status_text: image });
  await testServer.request("olga", `PATCH /users/${testServer.idOf("bo")}`, {
    full_name: "Bo 'x' onerror=y &lt;b&gt;",
  });
  const file = await upload(testServer, "bo", {
    name: `x" onerror="window.trapped=1".png`,
    bytes: "no picture",
  });
  const topic = svg.slice(0, 60);
  const lines = [
    image,
    script,
    `[${image}](${file})`,
    `/poll ${image}\n${svg}`,
    `/todo ${script}\n${image}: ${svg}`,
  ];
  const ids: number[] = [];
  for (const content of [...lines, ...TRAPS]) {
    const message = await testServer.request("bo", "POST /messages", {
      type: "channel",
      to: stream_id,
      topic,
      content,
    });
    ids.push(message.id);
  }
  await testServer.request("bo", `PATCH /messages/${ids[0]}`, { content: `${svg} ${image}` });
  const browserSession = await fixture.sessionOf("ada");
  const fragment = encodeURIComponent(topic).replaceAll(".", "%2E").replaceAll("%", ".");
  const page = await browserSession.tab(`/#narrow/channel/${stream_id}-design/topic/${fragment}`);
  await page.locator(`#m${ids.at(-1)}`).waitFor();
  for (const key of ["i", "u", "m", "H", "V", "e", "<"]) {
    await page.locator(`#m${ids[0]}`).focus();
    await page.keyboard.press(key);
    await page.locator(LOADED_LAYER).first().waitFor();
    await page.keyboard.press("Escape");
    await page.locator(":is(.pop, .dialog)").first().waitFor({ state: "detached" });
  }
  await page.goto("/#feed");
  await page.locator(`#m${ids.at(-1)}`).waitFor();
  expect(await page.evaluate(() => (window as { trapped?: number }).trapped)).toBeUndefined();
  expect(await page.locator("script:not([src]), iframe, form[action]").count()).toBe(0);
  expect(browserSession.faults).toEqual([]);
});

test("hostile HTML of the server runs no script and loads nothing", async () => {
  const { id } = await fixture.post("bo", "Replaced on its way");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.context.newPage();
  const foreignRequests: string[] = [];
  page.on(
    "request",
    (request) =>
      !request.url().startsWith(browserSession.url) && foreignRequests.push(request.url()),
  );
  await page.route("**/json/messages?*", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const message of json.messages) {
      const previews =
        preview("/external_content/aa/bb") + preview("https://elsewhere.example/x.png");
      message.content = `${TRAPS.join("")}${previews}<p>kept ${message.id}</p>`;
    }
    await route.fulfill({ response, json });
  });
  await page.goto(fixture.topicUrl);
  const row = page.locator(`#m${id}`);
  await row.getByText(`kept ${id}`).waitFor();
  expect(await page.evaluate(() => (window as { trapped?: number }).trapped)).toBeUndefined();
  const content = row.locator(".md");
  expect(
    await content
      .locator("script, svg[onload], iframe, form, style, [style], [onerror], [poster]")
      .count(),
  ).toBe(0);
  expect(
    await row.locator('.md [data-act="delete-message"], .md a[href^="javascript"]').count(),
  ).toBe(0);
  expect(await content.locator("a.unfurl").count()).toBe(2);
  expect(await content.locator("a.unfurl img").getAttribute("src")).toBe("/external_content/aa/bb");
  expect(await content.locator("a.unfurl b").first().innerText()).toBe("A title");
  expect(foreignRequests).toEqual([]);
});

/** HTML as the server renders it. */
const preview = (image: string) =>
  `<div class="message_embed"><a class="message_embed_image" href="https://page.example/p" ` +
  `style="background-image: url(&quot;${image}&quot;)"></a><div class="data-container">` +
  `<div class="message_embed_title"><a href="https://page.example/p" title="A title">A title</a>` +
  `</div><div class="message_embed_description">Words</div></div></div>`;

test("opens pictures by key, with arrows, and restores the focus", async () => {
  const first = await upload(fixture.testServer, "bo", {
    name: "one.png",
    bytes: striped(300, 200),
  });
  const two = await upload(fixture.testServer, "bo", { name: "two.png", bytes: striped(200, 300) });
  const { id } = await fixture.post("bo", `[one](${first}) and [two](${two})`);
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${id} [data-act="lightbox"] img`).nth(1).waitFor();
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("v");
  const box = page.locator(".lightbox");
  await box.locator("figure img").waitFor();
  const name = await box.getAttribute("aria-label");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(
    (before) => document.querySelector(".lightbox")?.getAttribute("aria-label") !== before,
    name,
  );
  // Zooms in until the picture exceeds the screen on every side.
  for (let notch = 0; notch < 10; notch++) await page.keyboard.press("+");
  await page.locator('.lightbox figure[data-zoomed] img[style*="scale(8)"]').waitFor();
  const larger = await box.getAttribute("aria-label");
  const movedPicture = (offset: string) =>
    page.locator(`.lightbox figure img[style*="translate(${offset})"]`);
  await page.keyboard.press("ArrowDown");
  await movedPicture("0px, -80px").waitFor();
  await page.keyboard.press("ArrowRight");
  await movedPicture("-80px, -80px").waitFor();
  expect(await box.getAttribute("aria-label")).toBe(larger);
  await page.keyboard.press("0");
  await page.locator(".lightbox figure:not([data-zoomed])").waitFor();
  await page.keyboard.press("+");
  await page.locator(".lightbox figure[data-zoomed]").waitFor();
  await page.keyboard.press("-");
  await page.locator(".lightbox figure:not([data-zoomed])").waitFor();
  await page.waitForFunction(() => {
    const image = document.querySelector<HTMLImageElement>(".lightbox figure img");
    return image !== null && image.naturalWidth > 0;
  });
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(`m${id}`);
  expect(browserSession.faults).toEqual([]);
});

test("names videos, and offers unsupported ones as files", async () => {
  const bytes = new TextEncoder().encode("no film");
  const video = await upload(fixture.testServer, "bo", { name: "film.mp4", bytes });
  const { id } = await fixture.post("bo", `[film.mp4](${video})`);
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  const shot = page.locator(`#m${id} .shot`);
  await shot.getByText("can’t play this file").waitFor();
  expect(await shot.locator("video").getAttribute("title")).toBe("film.mp4");
  expect(await shot.locator("video").isVisible()).toBe(false);
  const card = shot.locator("a[download]");
  expect(new URL((await card.getAttribute("href"))!).pathname).toBe(video);
});

test("zooms, closes and swipes a picture", async () => {
  const first = await upload(fixture.testServer, "bo", {
    name: "left.png",
    bytes: striped(300, 200),
  });
  const two = await upload(fixture.testServer, "bo", {
    name: "right.png",
    bytes: striped(200, 300),
  });
  const { id } = await fixture.post("bo", `[left](${first}) and [right](${two})`);
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  // A missing file shows an error, and everything else is still shown.
  await page.route("**/right.png", (route) => route.fulfill({ status: 404 }));
  await page.locator(`#m${id} [data-act="lightbox"] img`).nth(1).waitFor();
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("v");
  const figure = page.locator(".lightbox figure");
  await figure.locator("img").click();
  await page.locator(".lightbox figure[data-zoomed]").waitFor();
  await figure.locator("img").click();
  await page.locator(".lightbox figure:not([data-zoomed])").waitFor();
  const sweep = (from: number, to: number) =>
    figure.evaluate(
      (room, ends) => {
        const at = { pointerId: 7, pointerType: "touch", isPrimary: true, clientY: 300 };
        for (const [kind, clientX] of [
          ["pointerdown", ends[0]],
          ["pointermove", ends[1]],
          ["pointerup", ends[1]],
        ] as const) {
          room.dispatchEvent(new PointerEvent(kind, { ...at, clientX }));
        }
      },
      [from, to],
    );
  const { count } = { count: await page.locator(".lightbox .lightbox-thumbs button").count() };
  await page.locator(".lightbox [role=status]", { hasText: `of ${count}` }).waitFor();
  await sweep(300, 290);
  expect(await page.locator(".lightbox").getAttribute("aria-label")).toBe("left");
  await sweep(300, 200);
  await page.locator(".lightbox figcaption").getByText("Can’t show this image").waitFor();
  expect(await page.locator(".lightbox").getAttribute("aria-label")).toBe("right");
  for (const width of [1360, 320]) {
    await page.setViewportSize({ width, height: 700 });
    expect(await faultsOf(page)).toEqual([]);
  }
  await sweep(200, 300);
  await figure.locator("img").waitFor();
  await figure.click({ position: { x: 4, y: 4 } });
  await page.locator(".lightbox").waitFor({ state: "detached" });
});

test("axe finds no fault in messages, their menu, a card and the picker", async () => {
  await fixture.post("ada", "/todo Before\nImage: arm64");
  await fixture.post("ada", "```spoiler Sign-in\nsecret\n```\n\n| a | b |\n|--|--|\n| 1 | 2 |");
  const { id } = await fixture.post(
    "bo",
    "Some `code`, a <time:2026-11-22T10:00:00Z>\n\n```ts\nlet x = 1\n```",
  );
  await fixture.testServer.request("ada", `POST /messages/${id}/reactions`, { emoji_name: "tada" });
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator(`#m${id}`).focus();
  expect(await faultsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  for (const key of ["i", "u", ":", "m"]) {
    await page.locator(`#m${id}`).focus();
    await page.keyboard.press(key);
    await page.locator(LOADED_LAYER).first().waitFor();
    expect({ key, faults: await faultsOf(page) }).toEqual({ key, faults: [] });
    await page.keyboard.press("Escape");
    await page.locator(":is(.pop, .dialog)").waitFor({ state: "detached" });
  }
});

test("a long formula scrolls, a short one stays inline", async () => {
  const long = String.raw`\frac{a}{b} + `.repeat(40);
  await fixture.post(
    "bo",
    `so $$e^{2}$$ is short, $$${long}x$$ is not\n\`\`\`math\n${long}x\n\`\`\``,
  );
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.locator("article.msg math").nth(2).waitFor();
  expect(await page.locator(".math[tabindex='0'] > math").count()).toBe(2);
  const { scrollWidth, clientWidth } = await page
    .locator(".feed")
    .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
  expect(scrollWidth).toBe(clientWidth);
  expect(await faultsOf(page)).toEqual([]);
});

test("collapses messages of muted users, and shows them on request", async () => {
  const { id } = await fixture.post("bo", "Nobody asked me");
  const browserSession = await fixture.sessionOf("ada");
  const page = await browserSession.tab(fixture.topicUrl);
  await page.locator(`#m${id}`).getByText("Nobody asked me").waitFor();
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("u");
  await page.getByRole("button", { name: "Mute" }).press("Enter");
  await page.locator(`#m${id} .msg-hidden`).waitFor();
  expect(await page.locator(`#m${id}`).getByText("Nobody asked me").count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.locator(`#m${id} .msg-hidden`).press("Enter");
  await page.locator(`#m${id}`).getByText("Nobody asked me").waitFor();
  // The page shows the change before the server has stored it.
  const { testServer } = fixture;
  const mutedRow = () =>
    testServer.realm.read.muted_users.get(testServer.idOf("ada"), testServer.idOf("bo"));
  while (!mutedRow()) await Bun.sleep(20);
  await testServer.request("ada", `DELETE /users/me/muted_users/${testServer.idOf("bo")}`);
});
