// Files that go to the server while other tabs are open, or that the server has forgotten.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { BrowserSession } from "./browser-session.ts";
import { Cut } from "./cut.ts";
import { shows, BrowserFixture, stands } from "./browser-fixture.ts";
import { text, until } from "./written.ts";

const fixture = await BrowserFixture.ofFile();
/** Requests with a piece of a file, or after how much is there. */
const PIECES = /\/json\/tus\/./;
/** The request that says that there will be a file. */
const PIECES_BEGUN = /\/json\/tus\/$/;
const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("kept") };

async function writing(browserSession: BrowserSession, topic: string): Promise<Page> {
  const page = await browserSession.tab(
    `/#narrow/channel/${fixture.stream_id}-design/topic/${topic}`,
  );
  await stands(page, "live");
  await page.locator(".compose textarea:enabled").click();
  return page;
}

const attachments = async () =>
  (await fixture.testServer.ask("bo", "GET /attachments")).attachments;

test("of two tabs one sends a file, and the text of both has it", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const first = await writing(browserSession, "two tabs");
  const network = await Cut.of(browserSession.context, PIECES);
  await first.keyboard.type("see");
  await first.locator(".compose input[type=file]").setInputFiles(file);
  await until(first, (now) => now.includes("#uploading-"));
  await first.getByText("Draft saved").waitFor();
  const second = await writing(browserSession, "two tabs");
  await until(second, (now) => now.includes("#uploading-"));
  await second.locator(".compose-uploads li").waitFor();
  const begun: string[] = [];
  browserSession.context.on("request", (request) => {
    if (request.method() === "PATCH" && PIECES.test(request.url())) begun.push(request.url());
  });
  network.mend();
  const isThere = (now: string) => now.includes("/user_uploads/");
  const [one, other] = [await until(first, isThere), await until(second, isThere)];
  expect(one.trim()).toBe(other.trim());
  for (const page of [first, second]) {
    await page.locator(".compose-uploads").waitFor({ state: "detached" });
  }
  expect(new Set(begun).size).toBe(1);
  expect(await attachments()).toHaveLength(1);
});

test("what is called off in one tab goes nowhere from the other", async () => {
  const browserSession = await fixture.sessionOf("ada");
  const first = await writing(browserSession, "called off");
  await Cut.of(browserSession.context, PIECES);
  await first.locator(".compose input[type=file]").setInputFiles(file);
  await first.getByText("Draft saved").waitFor();
  const second = await writing(browserSession, "called off");
  await until(second, (now) => now.includes("#uploading-"));
  await second.getByRole("button", { name: "notes.txt" }).click();
  for (const page of [first, second]) {
    await until(page, (now) => now.trim() === "");
    await page.locator(".compose-uploads").waitFor({ state: "detached" });
  }
});

test("what the server has forgotten meanwhile begins anew", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await writing(browserSession, "forgotten");
  const network = await Cut.of(
    browserSession.context,
    PIECES,
    (request) => request.method() === "PATCH",
  );
  const answer = page.waitForResponse(/\/json\/tus\/$/);
  await page.locator(".compose input[type=file]").setInputFiles(file);
  const location = (await answer).headers()["location"]!;
  const sent = await (await answer).request().allHeaders();
  const headers = { "Tus-Resumable": "1.0.0", "X-CSRFToken": sent["x-csrftoken"]! };
  const given = await page.evaluate(
    async ([path, headers]) => (await fetch(path, { method: "DELETE", headers })).status,
    [`/json${location.slice(location.indexOf("/tus/"))}`, headers] as const,
  );
  expect(given).toBe(204);
  network.mend();
  expect(await until(page, (now) => now.includes("/user_uploads/"))).toContain("[notes.txt](");
});

const posted = async (topic: string) => {
  const narrow = [
    { operator: "channel", operand: fixture.stream_id },
    { operator: "topic", operand: topic },
  ];
  const window = { anchor: "newest", num_before: 10, num_after: 0, apply_markdown: false };
  const { messages } = await fixture.testServer.ask("ada", "GET /messages", { narrow, ...window });
  return messages.map(({ content }: { content: string }) => content);
};

test("what waits for its file goes when that is there, and nothing else goes with it", async () => {
  const browserSession = await fixture.sessionOf("cy");
  const page = await writing(browserSession, "waits");
  const network = await Cut.of(browserSession.context, PIECES);
  const files = page.locator(".compose input[type=file]");
  await page.keyboard.type("with it:");
  // Nobody is mentioned by what a file is called.
  await files.setInputFiles({ ...file, name: "@**Ada Admin** `x` ~~y~~.txt" });
  await until(page, (now) => now.includes("#uploading-"));
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
  await until(page, (now) => now.includes("#uploading-"));
  network.mend();
  await until(page, (now) => now.includes("/user_uploads/"));
  await page.getByText("Sent to waits.").waitFor();
  let there = await posted("waits");
  while (there.length === 0) {
    await Bun.sleep(20);
    there = await posted("waits");
  }
  expect(there).toEqual([
    expect.stringMatching(/^with it:\n\[@Ada Admin 'x' ~y~\.txt\]\(\/user_uploads\//),
  ]);
  expect(await posted("elsewhere")).toEqual([]);
  expect(await text(page)).toContain("not yet:");
});

test("a refused file is said, and its text goes without it when one says so", async () => {
  const browserSession = await fixture.sessionOf("bo");
  const page = await writing(browserSession, "refused");
  await browserSession.context.route(PIECES_BEGUN, (route) =>
    route.fulfill({
      ...{ status: 413, headers: { "tus-resumable": "1.0.0" }, body: "There is no room for it." },
    }),
  );
  await page.keyboard.type("without it");
  await page.locator(".compose input[type=file]").setInputFiles(file);
  await page.locator(".compose-uploads [role=alert]").getByText("There is no room").waitFor();
  expect((await until(page, (now) => !now.includes("#uploading-"))).trim()).toBe("without it");
  await page.getByRole("button", { name: "notes.txt" }).click();
  await page.locator(".compose-uploads").waitFor({ state: "detached" });
  expect(await posted("refused")).toEqual([]);
  // A place that is held for a file of another browser is not waited for.
  await page.locator(".compose textarea").fill("see [x.txt…](#uploading-x.1)");
  await page.locator(".compose [type=submit]").click();
  await page.getByText("not uploading from this device").waitFor();
  expect(await page.getByText("Sends when the uploads finish").count()).toBe(0);
  await page.locator(".compose textarea").fill("without it");
  await page.locator(".compose [type=submit]").click();
  await shows(page, "without it");
});
