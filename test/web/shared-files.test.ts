// The files of a channel or conversation, newest first, for everyone who may read it.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { striped, upload } from "../features/upload-fixture.ts";
import { accessibilityFaults, faultsOf, applyLook, APPEARANCES } from "./axe.ts";
import type { BrowserSession } from "./browser-session.ts";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

const share = async (name: string, bytes: Uint8Array<ArrayBuffer> | string, topic = "logo") => {
  const file = await upload(fixture.testServer, "ada", { name, bytes });
  const to = { type: "channel", to: fixture.stream_id, topic };
  const { id } = await fixture.testServer.request("ada", "POST /messages", {
    ...to,
    content: `Look: [${name}](${file})`,
  });
  return id as number;
};

test("opens a topic's shared files by key, and new ones appear", async () => {
  await share("sketch.png", striped(300, 200), "poster");
  await share("brief.pdf", "%PDF", "poster");
  await share("other.txt", "elsewhere", "mark");
  await fixture.testServer.request("ada", "POST /messages", {
    ...{ type: "channel", to: fixture.stream_id, topic: "poster" },
    content: "Nothing here but [a link](https://example.com/)",
  });
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl.replace("topic/logo", "topic/poster"));
  await page.locator("article").filter({ hasText: "brief.pdf" }).first().waitFor();
  await page.keyboard.press("F");
  const tiles = page.locator(".shared li");
  const names = () => page.locator(".shared li b").allTextContents();
  await tiles.nth(1).waitFor();
  expect(await names()).toEqual(["brief.pdf", "sketch.png"]);
  expect(new URL(page.url()).hash).toEndWith("/topic/poster");
  // Shared files appear at once.
  await share("final.png", striped(200, 300), "poster");
  await tiles.filter({ hasText: "final.png" }).waitFor();
  expect(await names()).toEqual(["final.png", "brief.pdf", "sketch.png"]);
  expect(await accessibilityFaults(page)).toEqual([]);

  await tiles.first().locator(".shared-it").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "sketch.png" }).locator(".lightbox-thumbs").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("dialog", { name: "final.png" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Other files" }).press("Enter");
  await tiles.nth(1).waitFor({ state: "detached" });
  expect(await names()).toEqual(["brief.pdf"]);
  await tiles.first().locator(".shared-at").press("Enter");
  await page.locator("article").filter({ hasText: "brief.pdf" }).first().waitFor();
  expect(new URL(page.url()).hash).toContain("/near/");
  expect(browserSession.faults).toEqual([]);
});

test("a channel's menu opens its files; without access it shows none", async () => {
  await share("plan.pdf", "%PDF", "plan");
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(`/#narrow/channel/${fixture.stream_id}-design`);
  await page.locator("article").filter({ hasText: "plan.pdf" }).first().waitFor();
  await page.locator(".bar").getByRole("button", { name: "More" }).press("Enter");
  await page.getByRole("menuitem", { name: "Files" }).press("Enter");
  const plan = page.locator(".shared li").filter({ hasText: "plan.pdf" });
  await plan.getByText("plan", { exact: true }).waitFor();

  const guest = await fixture.sessionOf("gus");
  const other = await guest.tab(new URL(page.url()).hash.replace("#", "/#"));
  await other.getByText("No files have been shared here yet.").waitFor();
  expect(await other.locator(".shared li").count()).toBe(0);
});

test("covers files in spoilers, and shows them in the conversation", async () => {
  const { testServer } = fixture;
  const uploadFile = (name: string) =>
    upload(testServer, "ada", { name, bytes: name.endsWith(".png") ? striped(200, 100) : "%PDF" });
  const [visiblePath, both, secret] = [
    await uploadFile("seen.png"),
    await uploadFile("both.png"),
    await uploadFile("secret.png"),
  ];
  const [ending, nameless] = [await uploadFile("ending.pdf"), await uploadFile("nameless.png")];
  const inner = `\`\`\`spoiler Inner\n[secret.png](${secret})\n\`\`\``;
  const content = [
    `[seen.png](${visiblePath}) [both.png](${both})`,
    `\`\`\`\`spoiler The **end**\n[both.png](${both}) [ending.pdf](${ending})\n${inner}\n\`\`\`\``,
    `\`\`\`spoiler\n[nameless.png](${nameless})\n\`\`\``,
  ].join("\n\n");
  const to = { type: "channel", to: fixture.stream_id, topic: "film" };
  const { id } = await testServer.request("ada", "POST /messages", { ...to, content });
  const browserSession = await fixture.sessionOf("bo");
  const requests: string[] = [];
  browserSession.context.on("request", (request) => requests.push(decodeURI(request.url())));
  const page = await browserSession.tab(fixture.topicUrl.replace("topic/logo", "topic/film"));
  await page.locator(`#m${id}`).waitFor();
  await page.keyboard.press("F");
  const tiles = page.locator(".shared li");
  await tiles.nth(4).waitFor();
  expect(await page.locator(".shared li b").allTextContents()).toEqual([
    "seen.png",
    "both.png",
    "The end",
    "The end",
    "Spoiler",
  ]);
  expect(await page.locator(".shared").innerHTML()).not.toMatch(/secret|ending|nameless/);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Images" }).click();
  await tiles.nth(4).waitFor({ state: "detached" });
  expect(await tiles.count()).toBe(4);
  await tiles.first().locator(".shared-it").press("Enter");
  await page.getByRole("dialog", { name: "seen.png" }).locator(".lightbox-thumbs").waitFor();
  expect(await page.locator(".lightbox-thumbs button").count()).toBe(2);
  await page.keyboard.press("Escape");
  await tiles.last().locator(".shared-it").press("Enter");
  await page.locator(`#m${id} details:not([open])`).first().waitFor();
  const protectedFileRequests = () => requests.filter((url) => /secret|ending|nameless/.test(url));
  expect(protectedFileRequests()).toEqual([]);
  await page.locator(`#m${id} summary`).last().click();
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>(".spoiler img[src*=nameless]")?.naturalWidth,
  );
  expect(protectedFileRequests().filter((url) => !url.includes("nameless"))).toEqual([]);
  expect(browserSession.faults).toEqual([]);
});

const besideOf = (page: Page) =>
  page
    .getByRole("complementary", { name: "People" })
    .getByRole("region", { name: "Files in this conversation" });

/** Records the requests for messages with files that a browser makes from now on. */
function waitingRequestsOf(browserSession: BrowserSession): string[] {
  const expected: string[] = [];
  browserSession.context.on("request", (request) => {
    const url = decodeURIComponent(request.url());
    if (url.includes('"attachment"')) expected.push(url);
  });
  return expected;
}

test("shows the newest files beside a conversation, live", async () => {
  const topic = "beside";
  const ids = [await share("old.txt", "old", topic), await share("note.pdf", "%PDF", topic)];
  const secret = await upload(fixture.testServer, "ada", {
    name: "secret.png",
    bytes: striped(9, 9),
  });
  const to = { type: "channel", to: fixture.stream_id, topic };
  const content = `\`\`\`spoiler Who won\n[secret.png](${secret})\n\`\`\``;
  await fixture.testServer.request("ada", "POST /messages", { ...to, content });
  const browserSession = await fixture.sessionOf("bo");
  const expected = waitingRequestsOf(browserSession);
  const page = await browserSession.tab(fixture.topicUrl.replace("topic/logo", `topic/${topic}`));
  const names = besideOf(page).locator("b");
  await names.nth(2).waitFor();
  expect(await names.allTextContents()).toEqual(["Who won", "note.pdf", "old.txt"]);
  expect(await besideOf(page).innerHTML()).not.toContain("secret");
  for (const variant of APPEARANCES.filter(({ width }) => width >= 1180)) {
    await applyLook(page, variant);
    expect(await faultsOf(page)).toEqual([]);
  }
  await share("drawn.png", striped(60, 40), topic);
  await names.filter({ hasText: "drawn.png" }).waitFor();
  expect(await names.allTextContents()).toEqual(["drawn.png", "Who won", "note.pdf"]);
  await fixture.testServer.request("ada", `DELETE /messages/${ids[1]}`);
  await names.filter({ hasText: "note.pdf" }).waitFor({ state: "detached" });
  expect(await names.allTextContents()).toEqual(["drawn.png", "Who won", "old.txt"]);
  // The short conversation is completely loaded, so the client requests nothing more.
  expect(expected).toEqual([]);

  await page.locator(".panel input").focus();
  const name = page.locator(".panel .person:focus").filter({ hasText: "drawn.png" });
  while (!(await name.isVisible())) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "drawn.png" }).waitFor();
  await page.keyboard.press("Escape");
  await name.waitFor();
  const text = page.locator(".panel .person:focus").filter({ hasText: "old.txt" });
  while (!(await text.isVisible())) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "old.txt" }).locator("pre").getByText("old").waitFor();
  await page.keyboard.press("Escape");
  await text.waitFor();
  await page.keyboard.press("w");
  await page.keyboard.type("x");
  await besideOf(page).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await besideOf(page).getByRole("link", { name: "All files" }).press("Enter");
  await page.locator(".shared li").nth(2).waitFor();
  expect(new URL(page.url()).hash).toStartWith("#files/");
  expect(browserSession.faults).toEqual([]);
});

test("loads files of a long conversation once", async () => {
  const { testServer } = fixture;
  const topic = "long";
  for (let index = 0; index < 12; index++) await share(`${index}.txt`, `${index}`, topic);
  const to = { type: "channel", to: fixture.stream_id, topic };
  let last = 0;
  for (let index = 0; index < 130; index++) {
    last = (await testServer.request("ada", "POST /messages", { ...to, content: `Line ${index}` }))
      .id;
  }
  await testServer.request("bo", "POST /mark_all_as_read");
  await testServer.request("ada", "POST /messages", {
    ...to,
    topic: "short",
    content: "Nothing here",
  });
  const browserSession = await fixture.sessionOf("bo");
  const expected = waitingRequestsOf(browserSession);
  const topicUrl = (name: string) => fixture.topicUrl.replace("topic/logo", `topic/${name}`);
  const page = await browserSession.tab(topicUrl("short"));
  await waitForMessage(page, "Nothing here");
  const go = (name: string) =>
    page.evaluate((hash) => (location.hash = hash), topicUrl(name).slice(1));
  await go(topic);
  const names = besideOf(page).locator("b");
  await names.nth(2).waitFor();
  expect(await names.allTextContents()).toEqual(["11.txt", "10.txt", "9.txt"]);
  await go("short");
  await besideOf(page).waitFor({ state: "detached" });
  await go(topic);
  await names.nth(2).waitFor();
  // An edit can add a file as well.
  const file = await upload(testServer, "ada", { name: "late.txt", bytes: "late" });
  await testServer.request("ada", `PATCH /messages/${last}`, {
    content: `And [late.txt](${file})`,
  });
  await names.filter({ hasText: "late.txt" }).waitFor();
  expect(await names.allTextContents()).toEqual(["late.txt", "11.txt", "10.txt"]);
  expect(expected).toHaveLength(1);
  await besideOf(page).getByRole("link", { name: "All files" }).press("Enter");
  // The page lists more files than the side panel has requested.
  await page.locator(".shared li").nth(12).waitFor();
  expect(await page.locator(".shared li").count()).toBe(13);
  expect(browserSession.faults).toEqual([]);
});

test("shows a file on its own line as a card, and others as links", async () => {
  const long = `${"a name without an end ".repeat(5)}.tar.gz`;
  const uploadedLink = async (name: string) =>
    `[${name}](${await upload(fixture.testServer, "ada", { name, bytes: "%PDF" })})`;
  const [plan, packed, namedPath] = [
    await uploadedLink("plan.pdf"),
    await uploadedLink(long),
    await uploadedLink("b.txt"),
  ];
  // A picture is shown below the link with its name.
  const picture = await upload(fixture.testServer, "ada", {
    name: "a.png",
    bytes: striped(90, 60),
  });
  const content = `The plan:\n${plan}\n${packed}\nand ${namedPath} with it\n\n[a.png](${picture})`;
  const { id } = await fixture.post("ada", content);
  const page = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  const message = page.locator(`#m${id}`);
  const links = message.locator(".md a:not([download])");
  const card = message.getByRole("link", { name: /^plan\.pdf PDF/ });
  await card.locator(".ext").waitFor();
  await message.locator(".shot").waitFor();
  expect(await links.evaluateAll((all) => all.map((item) => item.className))).toEqual([
    "card",
    "card",
    "",
    "",
  ]);
  expect(await message.locator(".md").innerText()).toContain("and b.txt with it");
  for (const variant of APPEARANCES) {
    await applyLook(page, variant);
    expect(await faultsOf(page, undefined, `#m${id}`)).toEqual([]);
    // No empty line surrounds the card, and nothing is wider than the screen.
    const [above, below] = await links.evaluateAll((all) =>
      all.slice(0, 2).map((link) => link.getBoundingClientRect().toJSON() as DOMRect),
    );
    expect(below!.y - above!.y - above!.height).toBeLessThan(12);
    expect(below!.x + below!.width).toBeLessThanOrEqual(variant.width);
  }
});
