// Uploads while other tabs are open, or after the server has forgotten them.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { BrowserSession } from "./browser-session.ts";
import { NetworkFailure, routeOnce } from "./failing-network.ts";
import { waitForMessage, BrowserFixture, waitForConnection } from "./browser-fixture.ts";
import { chip, text, until } from "./composer-content.ts";

const fixture = await BrowserFixture.forTestFile();
/** Requests that upload a piece of a file, or ask how much of it the server has. */
const TUS_UPLOAD = /\/json\/tus\/./;
/** The request that announces a file. */
const TUS_CREATION = /\/json\/tus\/$/;
const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("kept") };

async function openComposer(browserSession: BrowserSession, topic: string): Promise<Page> {
  const page = await browserSession.tab(
    `/#narrow/channel/${fixture.stream_id}-design/topic/${topic}`,
  );
  await waitForConnection(page, "live");
  await page.locator(".compose textarea:enabled").click();
  return page;
}

const attachments = async () =>
  (await fixture.testServer.request("bo", "GET /attachments")).attachments;

test("one of two tabs uploads a file, and both texts have it", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const first = await openComposer(browserSession, "two tabs");
  const network = await NetworkFailure.of(browserSession.context, TUS_UPLOAD);
  await first.keyboard.type("see");
  await first.locator(".compose input[type=file]").setInputFiles(file);
  await chip(first, "notes.txt", "uploading").waitFor();
  await first.getByText("Draft saved").waitFor();
  const second = await openComposer(browserSession, "two tabs");
  await chip(second, "notes.txt", "uploading").waitFor();
  const started: string[] = [];
  browserSession.context.on("request", (request) => {
    if (request.method() === "PATCH" && TUS_UPLOAD.test(request.url())) started.push(request.url());
  });
  network.stopFailing();
  for (const page of [first, second]) {
    await chip(page, "notes.txt", "done").waitFor();
    expect(await text(page)).toBe("see");
  }
  expect(new Set(started).size).toBe(1);
  expect(await attachments()).toHaveLength(1);
});

test("a cancelled upload is cancelled in the other tab", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const first = await openComposer(browserSession, "called off");
  await NetworkFailure.of(browserSession.context, TUS_UPLOAD);
  await first.locator(".compose input[type=file]").setInputFiles(file);
  await first.getByText("Draft saved").waitFor();
  const second = await openComposer(browserSession, "called off");
  await chip(second, "notes.txt", "uploading").waitFor();
  await second.getByRole("button", { name: "Cancel the upload of notes.txt" }).click();
  for (const page of [first, second]) {
    await page.locator(".compose-uploads").waitFor({ state: "detached" });
  }
});

test("an upload that is cancelled while it is announced does not come back", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const page = await openComposer(browserSession, "called off early");
  const announced = Promise.withResolvers<void>();
  const response = Promise.withResolvers<void>();
  const methods: string[] = [];
  page.on("request", (request) => {
    if (TUS_UPLOAD.test(request.url())) methods.push(request.method());
  });
  const deleted = page.waitForRequest((request) => request.method() === "DELETE");
  await routeOnce(page, TUS_CREATION, async (route) => {
    announced.resolve();
    await response.promise;
    await route.fallback();
  });
  await page.locator(".compose input[type=file]").setInputFiles(file);
  await announced.promise;
  await page.getByRole("button", { name: "Cancel the upload of notes.txt" }).click();
  await page.locator(".compose-uploads").waitFor({ state: "detached" });
  response.resolve();
  await deleted;
  expect(methods).toEqual(["DELETE"]);
  await page.reload();
  await waitForConnection(page, "live");
  expect(await page.locator(".compose-uploads").count()).toBe(0);
  expect(methods).toEqual(["DELETE"]);
});

test("uploads the next file at once after one that waited was cancelled", async () => {
  const page = await openComposer(await fixture.sessionOf("ada"), "no wait");
  const network = await NetworkFailure.of(page, TUS_UPLOAD);
  // The pause before the next attempt does not end by itself.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const input = page.locator(".compose input[type=file]");
  const failed = page.waitForEvent("requestfailed", (request) => TUS_UPLOAD.test(request.url()));
  await input.setInputFiles(file);
  await failed;
  const cancelButton = page.getByRole("button", { name: "Cancel the upload of notes.txt" });
  await page.clock.runFor(100);
  await page.getByText("Waiting").waitFor();
  network.stopFailing();
  const uploaded = page.waitForResponse(
    (response) => response.request().method() === "PATCH" && response.ok(),
  );
  await cancelButton.click();
  await input.setInputFiles({ ...file, name: "next.txt" });
  await uploaded;
});

test("restarts an upload that the server has forgotten", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await openComposer(browserSession, "forgotten");
  const network = await NetworkFailure.of(
    browserSession.context,
    TUS_UPLOAD,
    (request) => request.method() === "PATCH",
  );
  const response = page.waitForResponse(/\/json\/tus\/$/);
  await page.locator(".compose input[type=file]").setInputFiles(file);
  const location = (await response).headers()["location"]!;
  const requestHeaders = await (await response).request().allHeaders();
  const headers = { "Tus-Resumable": "1.0.0", "X-CSRFToken": requestHeaders["x-csrftoken"]! };
  const input = await page.evaluate(
    async ([path, headers]) => (await fetch(path, { method: "DELETE", headers })).status,
    [`/json${location.slice(location.indexOf("/tus/"))}`, headers] as const,
  );
  expect(input).toBe(204);
  network.stopFailing();
  await chip(page, "notes.txt", "done").waitFor();
});

const postedContents = async (topic: string) => {
  const narrow = [
    { operator: "channel", operand: fixture.stream_id },
    { operator: "topic", operand: topic },
  ];
  const window = { anchor: "newest", num_before: 10, num_after: 0, apply_markdown: false };
  const { messages } = await fixture.testServer.request("ada", "GET /messages", {
    narrow,
    ...window,
  });
  return messages.map(({ content }: { content: string }) => content);
};

test("sends a message when its file is uploaded, and no other", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await openComposer(browserSession, "waits");
  const network = await NetworkFailure.of(browserSession.context, TUS_UPLOAD);
  const files = page.locator(".compose input[type=file]");
  await page.keyboard.type("with it:");
  // A file name does not mention users.
  await files.setInputFiles({ ...file, name: "@**Ada Admin** `x` ~~y~~.txt" });
  await chip(page, ".txt", "uploading").waitFor();
  await page.locator(".compose [type=submit]").click();
  const waits = page.getByText("Sends when the uploads finish");
  await waits.waitFor();
  const other = `#narrow/channel/${fixture.stream_id}-design/topic/elsewhere`;
  await page.evaluate((hash) => (location.hash = hash), other);
  await page.locator(".compose-to").filter({ hasText: "elsewhere" }).waitFor();
  await until(page, (now) => now === "");
  expect(await waits.count()).toBe(0);
  await page.locator(".compose textarea:enabled").click();
  await page.keyboard.type("not yet:");
  await files.setInputFiles(file);
  await chip(page, "notes.txt", "uploading").waitFor();
  network.stopFailing();
  await chip(page, "notes.txt", "done").waitFor();
  await page.getByText("Sent to waits.").waitFor();
  let there = await postedContents("waits");
  while (there.length === 0) {
    await Bun.sleep(20);
    there = await postedContents("waits");
  }
  expect(there).toEqual([
    expect.stringMatching(/^with it:\n\[@Ada Admin 'x' ~y~\.txt\]\(\/user_uploads\//),
  ]);
  expect(await postedContents("elsewhere")).toEqual([]);
  expect(await text(page)).toBe("not yet:");
});

test("shows an error for a rejected file, and can send without it", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await openComposer(browserSession, "refused");
  await browserSession.context.route(TUS_CREATION, (route) =>
    route.fulfill({
      ...{ status: 413, headers: { "tus-resumable": "1.0.0" }, body: "There is no room for it." },
    }),
  );
  await page.keyboard.type("without it");
  await page.locator(".compose input[type=file]").setInputFiles(file);
  await chip(page, "notes.txt", "failed")
    .getByRole("alert")
    .getByText("There is no room")
    .waitFor();
  expect(await text(page)).toBe("without it");
  await page.getByRole("button", { name: "Dismiss notes.txt" }).click();
  await page.locator(".compose-uploads").waitFor({ state: "detached" });
  expect(await postedContents("refused")).toEqual([]);
  // Sending does not wait for the placeholder of a file that another browser uploads.
  await page.locator(".compose textarea").fill("see [x.txt…](#uploading-x.1)");
  await page.locator(".compose [type=submit]").click();
  await page.getByText("not uploading from this device").waitFor();
  expect(await page.getByText("Sends when the uploads finish").count()).toBe(0);
  await page.locator(".compose textarea").fill("without it");
  await page.locator(".compose [type=submit]").click();
  await waitForMessage(page, "without it");
});
