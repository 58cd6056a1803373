// Slow and failing requests of dialogs and commands that the user has left, or waits for.
import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { withTimeout } from "../wait-until.ts";
import { BrowserFixture, waitForConnection, waitForMessage } from "./browser-fixture.ts";
import { routeOnce, routeUntilEnd } from "./failing-network.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer, stream_id } = fixture;
const NOTES = /\/json\/skein_topic_notes/;
const HISTORY = /\/messages\/\d+\/history/;

const urlOf = (topic: string) => `/#narrow/channel/${stream_id}-design/topic/${topic}`;
const post = async (topic: string, content: string): Promise<number> => {
  const to = { type: "channel", to: stream_id, topic, content };
  return (await testServer.request("ada", "POST /messages", to)).id;
};
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const menuItem = (page: Page, name: string) => page.getByRole("menuitem", { name });

async function openTopic(topic: string, content: string): Promise<Page> {
  const page = await (await fixture.sessionOf("ada")).tab(urlOf(topic));
  await waitForConnection(page, "live");
  await waitForMessage(page, content);
  return page;
}

async function openMenu(page: Page, id: number, item: string): Promise<void> {
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("i");
  await menuItem(page, item).press("Enter");
}

interface HeldRequest {
  /** Resolves when the page has sent the request. */
  sent(): Promise<unknown>;
  /** Sends the request on, and resolves when the page has handled the response. */
  release(): Promise<void>;
}

/** Holds the next request to these addresses back. */
async function holdNext(page: Page, addresses: RegExp): Promise<HeldRequest> {
  const held = Promise.withResolvers<Route>();
  await routeOnce(page, addresses, (route) => held.resolve(route));
  const sent = () => withTimeout(held.promise, `a request to ${addresses.source}`);
  const release = async () => {
    const route = await sent();
    const response = page.waitForResponse((other) => other.request() === route.request());
    await route.fallback();
    await withTimeout((await response).finished(), "the end of the response");
    // The page has handled the response when it has handled a later task.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  };
  return { sent, release };
}

async function writeNote(topic: string): Promise<void> {
  const params = { stream_id, topic, content: `about ${topic}`, version: 0 };
  await testServer.request("ada", "PUT /skein_topic_notes", params);
}

test("keeps a dialog that was opened while the request of a closed one was sent", async () => {
  for (const topic of ["tulips", "roses"]) {
    await post(topic, `a message on ${topic}`);
    await writeNote(topic);
  }
  const page = await openTopic("tulips", "a message on tulips");
  await page.getByRole("button", { name: "Edit topic note" }).click();
  await dialog(page, "Note for tulips").getByLabel("Note").fill("now in bloom");
  const held = await holdNext(page, NOTES);
  await page.getByRole("button", { name: "Save" }).click();
  await held.sent();
  await page.keyboard.press("Escape");
  await page.goto(urlOf("roses"));
  await page.getByRole("button", { name: "Edit topic note" }).click();
  const other = dialog(page, "Note for roses");
  await other.getByLabel("Note").fill("a long text about roses");
  await held.release();
  await page.locator(".dialog").waitFor();
  expect(await other.getByLabel("Note").inputValue()).toBe("a long text about roses");
});

test("opens no dialog that was closed while it loaded", async () => {
  await post("lilies", "a message on lilies");
  await writeNote("lilies");
  const page = await openTopic("lilies", "a message on lilies");
  const held = await holdNext(page, /skein_topic_notes\/history/);
  await page.getByRole("button", { name: "History of the note" }).click();
  await dialog(page, "History of the note").waitFor();
  // The dialog appears before its code has loaded, which sends the request.
  await held.sent();
  await page.keyboard.press("Escape");
  await dialog(page, "History of the note").waitFor({ state: "detached" });
  await held.release();
  expect(await page.locator(".dialog").count()).toBe(0);
});

test("shows the versions of the message whose history was opened last", async () => {
  const ids = [await post("ferns", "first draft"), await post("ferns", "second draft")];
  for (const id of ids) {
    const content = id === ids[0] ? "first text" : "second text";
    await testServer.request("ada", `PATCH /messages/${id}`, { content });
  }
  const page = await openTopic("ferns", "second text");
  const held = await holdNext(page, HISTORY);
  await openMenu(page, ids[0]!, "Edit history");
  const history = dialog(page, "Edit history");
  await history.waitFor();
  await held.sent();
  await page.keyboard.press("Escape");
  await history.waitFor({ state: "detached" });
  await openMenu(page, ids[1]!, "Edit history");
  await history.getByText("second").first().waitFor();
  await held.release();
  expect(await history.getByText("first").count()).toBe(0);
});

test("inserts no quotation into a conversation that was opened since", async () => {
  const id = await post("oaks", "an old oak");
  await post("elms", "an elm");
  const page = await openTopic("oaks", "an old oak");
  const held = await holdNext(page, /\/json\/messages\/\d+(?:\?|$)/);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press(">");
  await held.sent();
  await page.goto(urlOf("elms"));
  await page.getByRole("textbox", { name: "Message elms" }).waitFor();
  await held.release();
  expect(await page.locator(".compose textarea").inputValue()).toBe("");
});

test("keeps the texts of a reminder and a forwarded message that could not be sent", async () => {
  const id = await post("moss", "soft moss");
  const page = await openTopic("moss", "soft moss");
  const end = await routeUntilEnd(page, /\/json\/(reminders|messages\/\d+)/, (route) =>
    route.abort(),
  );
  const cases = [
    { item: "Remind me", field: "Note", button: "Remind me" },
    { item: "Forward", field: "Add a message", button: "Send" },
  ];
  for (const { item, field, button } of cases) {
    await openMenu(page, id, item);
    const shown = dialog(page, item);
    await shown.getByLabel(field).fill("look at this");
    await shown.getByRole("button", { name: button }).click();
    await shown.getByRole("alert").getByText("Can’t reach the server").waitFor();
    expect(await shown.getByLabel(field).inputValue()).toBe("look at this");
    if (item === "Forward") end();
    else await page.keyboard.press("Escape");
  }
  await dialog(page, "Forward").getByRole("button", { name: "Send" }).click();
  await dialog(page, "Forward").waitFor({ state: "detached" });
  await page.getByText("Forwarded").waitFor();
});

test("reports a change that failed after its dialog was closed", async () => {
  await post("birches", "a message on birches");
  await writeNote("birches");
  const page = await openTopic("birches", "a message on birches");
  await page.getByRole("button", { name: "Edit topic note" }).click();
  await dialog(page, "Note for birches").getByLabel("Note").fill("white bark");
  const held = Promise.withResolvers<Route>();
  await routeOnce(page, NOTES, (route) => held.resolve(route));
  await page.getByRole("button", { name: "Save" }).click();
  const route = await withTimeout(held.promise, "the request of the dialog");
  await page.keyboard.press("Escape");
  await dialog(page, "Note for birches").waitFor({ state: "detached" });
  await route.abort();
  await page.locator(".toast[role=alert]").getByText("Not saved").waitFor();
});
