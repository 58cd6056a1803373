// Files that are too large or do not fit: the error, and the remaining data.
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { startTestServer } from "../test-server.ts";
import { BrowserSession } from "./browser-session.ts";
import { chip, text } from "./composer-content.ts";

const testServer = await startTestServer({ max_upload_mib: 2, upload_quota_mib: 3 });
const { stream_id } = await testServer.request("ada", "GET /get_stream_id", { stream: "general" });
afterAll(() => testServer.close());

const KIB = 1024;
const file = (name: string, kib: number) => {
  return { name, mimeType: "text/plain", buffer: Buffer.alloc(kib * KIB, "a") };
};
const addressOf = (topic: string) => `/#narrow/channel/${stream_id}-general/topic/${topic}`;

async function openComposer(browserSession: BrowserSession, topic: string): Promise<Page> {
  const page = await browserSession.tab(addressOf(topic));
  await page.locator("main[data-connection=live]").waitFor();
  await page.locator(".compose textarea:enabled").click();
  return page;
}

/** Deletes files of earlier tests, which use up the quota. */
async function deleteUploads(): Promise<void> {
  for (const login of ["ada", "bo", "cy", "olga"] as const) {
    const { attachments } = await testServer.request(login, "GET /attachments");
    for (const { id } of attachments) await testServer.request(login, `DELETE /attachments/${id}`);
  }
}

test("removes files that exceed the quota, and says how to free space", async () => {
  await deleteUploads();
  const browserSession = await BrowserSession.of(testServer, "bo");
  const page = await openComposer(browserSession, "several");
  const started: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/tus/")) started.push(request.url());
  });
  await page.keyboard.type("look:");
  const all = [file("a", 900), file("big", 2500), file("b", 1500), file("c", 1000), file("d", 100)];
  await page.locator(".compose input[type=file]").setInputFiles(all);
  const refused = page.locator(".compose-uploads li");
  await refused.getByText("File too large (2.5 MB). The limit is 2 MB.").waitFor();
  await refused.getByText("storage is full (3 MB)").waitFor();
  await chip(page, "d", "done").waitFor();
  expect(await page.locator(".compose-uploads [data-state=done] bdi").allInnerTexts()).toEqual([
    ...["a", "b", "d"],
  ]);
  expect(await text(page)).toBe("look:");
  // The upload of a file that is too large does not start.
  expect(started).toHaveLength(4);
  const uploads = [...testServer.realm.read.resumable_uploads.range({})].map(({ name }) => name);
  expect(all.filter(({ name }) => uploads.includes(name))).toEqual([]);
  await page.getByRole("button", { name: "Dismiss big" }).click();
  await page.getByText("Draft saved").waitFor();

  await refused.getByRole("link", { name: "My files" }).click();
  await page.getByText("uses 2.5 MB of 3 MB").waitFor();
  await page.getByRole("button", { name: "Delete b", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("uses 1,000 kB of 3 MB").waitFor();
  await page.goto(addressOf("several"));
  await page.locator(".compose textarea:enabled").focus();
  await page.locator(".compose input[type=file]").setInputFiles(file("c", 1000));
  await chip(page, "c", "done").waitFor();
  // Sending dismisses the errors.
  await page.locator(".compose textarea:enabled").press("Control+Enter");
  await page.locator(".compose-uploads").waitFor({ state: "detached" });
});

test("keeps the text of a paste and an edit when the file is rejected", async () => {
  const { id } = await testServer.request("cy", "POST /messages", {
    ...{ type: "channel", to: stream_id, topic: "changed", content: "as it was" },
  });
  const browserSession = await BrowserSession.of(testServer, "cy");
  const page = await openComposer(browserSession, "changed");
  await page.keyboard.type("a paste");
  const paste = (name: string, bytes: number) =>
    page.evaluate(
      ([called, size]) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([new Uint8Array(size)], called, { type: "image/png" }));
        const event = new ClipboardEvent("paste", { clipboardData, bubbles: true });
        document.activeElement!.dispatchEvent(event);
      },
      [name, bytes] as const,
    );
  await paste("shot.png", 2500 * KIB);
  await page.getByText("The limit is 2 MB").waitFor();
  expect(await text(page)).toBe("a paste");
  await page.getByRole("button", { name: "Dismiss shot.png" }).click();

  // Another user uploads first and uses up the remaining space.
  await page.locator(`#m${id}`).hover();
  await page.locator(`#m${id}`).press("e");
  const field = page.locator(".edit-box textarea:focus");
  await field.waitFor();
  await page.route(/\/json\/tus\/./, (route) =>
    route.fulfill({ status: 413, headers: { "tus-resumable": "1.0.0" }, body: "It is full." }),
  );
  await paste("late.png", 10);
  await page.getByText("storage is full (3 MB)").waitFor();
  expect(await field.inputValue()).toBe("as it was");
});

test("does not quote an error of a proxy, and shows the delay", async () => {
  const browserSession = await BrowserSession.of(testServer, "ada");
  const page = await openComposer(browserSession, "stopped");
  await page.keyboard.type("see");
  let status = 413;
  await page.route(/\/json\/tus\/$/, (route) =>
    status === 200
      ? route.continue()
      : route.fulfill({ status, contentType: "text/html", body: "<h1>No</h1> nginx" }),
  );
  const files = page.locator(".compose input[type=file]");
  await files.setInputFiles(file("one", 1));
  await page.locator(".compose-uploads").getByText("A proxy between you").waitFor();
  expect(await text(page)).toBe("see");
  expect(await page.locator("body").innerText()).not.toContain("nginx");
  status = 503;
  await files.setInputFiles(file("two", 1));
  await page.locator(".compose-uploads").getByText("Waiting for the server").waitFor();
  status = 200;
  await chip(page, "two", "done").waitFor();
});

test("rejects a too large picture before uploading", async () => {
  const browserSession = await BrowserSession.of(testServer, "olga");
  const page = await browserSession.tab("/#organization/emoji");
  // Creates the file in the page, because sending so much data to the browser is slow.
  const choose = (bytes: number) =>
    page.locator(".settings-body input[type=file]").evaluate((input, size) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(size)], "wave.heic"));
      (input as HTMLInputElement).files = data.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }, bytes);
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && /emoji|avatar/.test(request.url()))
      requests.push(request.url());
  });
  await choose(40_000_000);
  await page.getByRole("button", { name: "Add emoji" }).click();
  await page.getByText("File too large (38.2 MB). The limit is 5 MB.").waitFor();
  await page.route("**/json/realm/emoji/*", (route) =>
    route.fulfill({ status: 413, contentType: "text/html", body: "<h1>Too large</h1>" }),
  );
  expect(requests).toEqual([]);
  await choose(4_000_000);
  await page.getByRole("button", { name: "Add emoji" }).click();
  await page.getByText("A proxy between you and the server").waitFor();
  await page.goto("/#settings/profile");
  await choose(40_000_000);
  await page.getByRole("dialog").getByText("The limit is 5 MB").waitFor();
  expect(requests).toHaveLength(1);
});
