// Cards of uploaded files: their content, their requests to the server, and their previews.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { striped, upload } from "../features/upload-fixture.ts";
import { accessibilityFaults, faultsOf } from "./axe.ts";
import { until } from "../wait-until.ts";
import { BrowserFixture, waitForMessage } from "./browser-fixture.ts";

const DESKTOP = { width: 1360, height: 800 };
const PHONE = { width: 390, height: 844 };
const HTML = "<b>bold</b><script>parent.document.title = 'taken'</script>";

let fixture: BrowserFixture;
let page: Page;
const heads: string[] = [];

beforeAll(async () => {
  fixture = await BrowserFixture.open();
  const files = [
    { name: "plan.pdf", bytes: "%PDF-1.4\n".padEnd(5000) },
    { name: "page.html", bytes: HTML },
    { name: "notes.txt", bytes: `Agenda\n${"line\n".repeat(60_000)}` },
    { name: "talk.mp3", bytes: "no sound" },
    { name: "archive.zip", bytes: "zip" },
  ];
  for (const file of files) await share(file);
  page = await (await fixture.sessionOf("ada")).tab();
  page.on("request", (request) => {
    if (request.method() === "HEAD") heads.push(new URL(request.url()).pathname);
  });
  await page.goto(`${fixture.testServer.url}${fixture.topicUrl}`);
  await waitForMessage(page, "archive.zip");
});
afterAll(() => fixture.close());

async function share(file: { name: string; bytes: string; type?: string }): Promise<string> {
  const url = await upload(fixture.testServer, "bo", file);
  await fixture.post("bo", `[${file.name}](${url})`);
  return url;
}
const card = (name: string) => page.locator("file-card", { hasText: name });
const link = (name: string) => card(name).locator("a.card");
const dialog = (name: string) => page.getByRole("dialog", { name });
/** The row may be rendered again meanwhile. */
const scrollTo = (node: Locator) =>
  until(() =>
    node.scrollIntoViewIfNeeded().then(
      () => true,
      () => false,
    ),
  );
const close = async (name: string) => {
  await page.keyboard.press("Escape");
  await dialog(name).waitFor({ state: "detached" });
};

test("shows the type and size of files, and asks for each size once", async () => {
  await scrollTo(card("plan.pdf"));
  await card("plan.pdf").getByText("PDF · 5 kB").waitFor();
  await scrollTo(card("archive.zip"));
  await card("archive.zip").getByText("ZIP · 1 kB").waitFor();
  await page.reload();
  await scrollTo(card("plan.pdf"));
  await card("plan.pdf").getByText("PDF · 5 kB").waitFor();
  await page.locator(".sidebar").getByRole("link", { name: "Inbox" }).click();
  await page.locator("main h1", { hasText: "Inbox" }).waitFor();
  heads.length = 0;
  await page.goBack();
  await scrollTo(card("plan.pdf"));
  await card("plan.pdf").getByText("PDF · 5 kB").waitFor();
  // Requests for other cards may still wait for their turn.
  expect(heads.filter((path) => path.endsWith("/plan.pdf"))).toEqual([]);
  expect(await accessibilityFaults(page, ".feed")).toEqual([]);
  await page.setViewportSize(PHONE);
  const { x, width } = (await card("plan.pdf").boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(PHONE.width);
  await page.setViewportSize(DESKTOP);
});

test("opens layers before their scripts have loaded, and moves nothing later", async () => {
  const bytes = striped(400, 300);
  const url = await upload(fixture.testServer, "bo", { name: "photo.png", bytes });
  await fixture.post("bo", `[photo.png](${url})`);
  // The scripts may have been loaded by another test.
  await page.reload();
  await page.locator(".shot img").waitFor();
  const go = (hash: string) => page.evaluate((to) => void (location.hash = to), hash);
  const user = `#user/${fixture.testServer.idOf("bo")}`;
  const header = "header";
  const layers = [
    [
      "lightbox",
      "photo.png",
      () => page.locator(".shot img").click(),
      ".acts > :last-child",
      "img",
    ],
    ["preview", "talk.mp3", () => link("talk.mp3").click(), header, ".file-preview"],
    ["profile-dialog", "Profile", () => go(user), header, ".profile"],
  ] as const;
  await page.emulateMedia({ reducedMotion: "no-preference" });
  for (const [script, name, open, frame, content] of layers) {
    const gate = Promise.withResolvers<void>();
    await page.route(new RegExp(`/assets/${script}-[\\w-]+\\.js$`), async (route) => {
      await gate.promise;
      return route.fallback();
    });
    const loading = dialog(name).filter({ has: page.locator("[aria-busy]") });
    await open();
    await loading.waitFor();
    await close(name);
    await open();
    await loading.waitFor();
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map(({ finished }) => finished)),
    );
    expect(await faultsOf(page, undefined, "[role=dialog]")).toEqual([]);
    const before = await dialog(name).locator(frame).boundingBox();
    const transitions = await page.evaluateHandle(() => {
      const all: string[] = [];
      document.addEventListener("transitionrun", ({ target }) => {
        const { className } = target as Element;
        if (/^(backdrop|dialog|pop|lightbox)/.test(className)) all.push(className);
      });
      return all;
    });
    gate.resolve();
    await dialog(name).locator(content).waitFor();
    expect(await loading.count()).toBe(0);
    expect(await dialog(name).locator(frame).boundingBox()).toEqual(before);
    // The loaded layer does not fade in again.
    expect(await transitions.jsonValue()).toEqual([]);
    await close(name);
  }
  await page.emulateMedia({ reducedMotion: "reduce" });
});

test("downloads a file from its card, and opens one without a preview in a tab", async () => {
  const download = card("archive.zip").getByRole("link", { name: "Download archive.zip" });
  const [got] = await Promise.all([page.waitForEvent("download"), download.press("Enter")]);
  expect(got.suggestedFilename()).toBe("archive.zip");
  expect(await link("archive.zip").getAttribute("data-act")).toBeNull();
  expect(await link("archive.zip").getAttribute("target")).toBe("_blank");
});

test("previews HTML as its source, and runs nothing in it", async () => {
  await link("page.html").click();
  await dialog("page.html").locator("pre").getByText(HTML).waitFor();
  expect(await dialog("page.html").locator("pre *").count()).toBe(0);
  expect(await page.title()).not.toContain("taken");
  await close("page.html");
});

test("previews a long text by keyboard, cut, and returns the focus to the card", async () => {
  await link("notes.txt").focus();
  await page.keyboard.press("Enter");
  await dialog("notes.txt").getByText("Agenda").waitFor();
  await dialog("notes.txt")
    .getByText(/Only the first 256 kB/)
    .waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("pre"));
  expect(await accessibilityFaults(page, ".dialog")).toEqual([]);
  await page.setViewportSize(DESKTOP);
  await close("notes.txt");
  await page.waitForFunction(() => document.activeElement?.matches("a.card"));
});

test("offers to open a PDF where the browser shows none inside a page", async () => {
  await page.setViewportSize(PHONE);
  await link("plan.pdf").click();
  await dialog("plan.pdf").getByText("This browser doesn’t show PDF files").waitFor();
  expect(await dialog("plan.pdf").locator("iframe").count()).toBe(0);
  const open = dialog("plan.pdf").getByRole("link", { name: "Open in a new tab" });
  const { y, height } = (await open.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(PHONE.height);
  expect(await faultsOf(page, undefined, ".dialog")).toEqual([]);
  await close("plan.pdf");
  await page.setViewportSize(DESKTOP);
});

test("shows a PDF in the browser's viewer, and frames no other type under its name", async () => {
  await page.evaluate(() => {
    Object.defineProperty(navigator, "pdfViewerEnabled", { value: true, configurable: true });
  });
  await share({ name: "page.pdf", bytes: HTML, type: "text/html" });
  // Cards ask for the size when they are visible.
  await scrollTo(card("page.pdf"));
  await card("page.pdf").getByText("PDF · 1 kB").waitFor();
  await link("page.pdf").click();
  await dialog("page.pdf").getByText("Couldn’t load the file.").waitFor();
  expect(await dialog("page.pdf").locator("iframe").count()).toBe(0);
  await close("page.pdf");
  await link("plan.pdf").click();
  await dialog("plan.pdf").locator("iframe").waitFor();
  await close("plan.pdf");
  await page.evaluate(() => Reflect.deleteProperty(navigator, "pdfViewerEnabled"));
});

test("plays a sound with the browser's controls, and says when it cannot", async () => {
  await link("talk.mp3").click();
  await dialog("talk.mp3").getByText("This browser can’t play this file.").waitFor();
  await close("talk.mp3");
});

test("offers a file again when its reader gets access to it", async () => {
  const { testServer } = fixture;
  const url = await upload(testServer, "bo", { name: "hidden.txt", bytes: "hidden" });
  const subscriptions = [{ name: "vault" }];
  const params = { subscriptions, invite_only: true, history_public_to_subscribers: true };
  await testServer.request("bo", "POST /users/me/subscriptions", params);
  const { stream_id } = await testServer.request("bo", "GET /get_stream_id", { stream: "vault" });
  const content = `[hidden.txt](${url})`;
  await testServer.request("bo", "POST /messages", {
    ...{ type: "channel", to: stream_id, topic: "keys", content },
  });
  await fixture.post("ada", content);
  await scrollTo(card("hidden.txt"));
  await card("hidden.txt").getByText("No longer available").waitFor();
  const principals = [testServer.idOf("ada")];
  await testServer.request("bo", "POST /users/me/subscriptions", { subscriptions, principals });
  await card("hidden.txt").getByText("TXT · 1 kB").waitFor();
  await card("hidden.txt").getByRole("link", { name: "Download hidden.txt" }).waitFor();
  await link("hidden.txt").click();
  await dialog("hidden.txt").getByText("hidden", { exact: true }).last().waitFor();
  await close("hidden.txt");
});

test("says that a file is gone, and leaves other links as they are", async () => {
  const url = await share({ name: "secret.txt", bytes: "x" });
  await scrollTo(card("secret.txt"));
  await card("secret.txt").getByText("TXT · 1 kB").waitFor();
  const { attachments } = await fixture.testServer.request("bo", "GET /attachments");
  const { id } = attachments.find((attachment: { path_id: string }) =>
    url.endsWith(attachment.path_id),
  );
  await fixture.testServer.request("bo", `DELETE /attachments/${id}`);
  await fixture.post("bo", "See https://example.com/plan.pdf and that is all");
  await waitForMessage(page, "and that is all");
  await page.reload();
  await scrollTo(card("secret.txt"));
  await card("secret.txt").getByText("No longer available").waitFor();
  expect(await card("secret.txt").locator("[download]").count()).toBe(0);
  const other = page.locator("article", { hasText: "and that is all" });
  expect(await other.locator("file-card").count()).toBe(0);
});
