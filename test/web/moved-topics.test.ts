// Text that is being written follows a topic that is renamed, resolved or moved.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { Drafts } from "../../src/web/features/drafts/drafts-sync.ts";
import type { ServerDraft } from "../../src/web/features/drafts/server-sync.ts";
import { keyOfConversation } from "../../src/web/conversation-keys.ts";
import type { StoredDraftRow } from "../../src/web/sync/personal-database.ts";
import type { ConversationRef } from "../../src/web/views.ts";
import { until } from "../wait-until.ts";
import { BrowserFixture } from "./browser-fixture.ts";
import { ManualClock } from "./manual-clock.ts";
import { rowsByPlace } from "./rows-in-memory.ts";

const fixture = await BrowserFixture.forTestFile();

const before: ConversationRef = { stream_id: 5, topic: "logo" };
const after: ConversationRef = { stream_id: 5, topic: "✔ logo" };
const [oldKey, newKey] = [keyOfConversation(before), keyOfConversation(after)];

/** Clients of one user that share a disk and a server; the server's events arrive at once. */
function shareDrafts() {
  const clock = new ManualClock();
  const disk = new Map<string, StoredDraftRow>();
  const server = new Map<number, ServerDraft>();
  const requests: string[] = [];
  const sharing = {
    ...{ isOn: () => true, isCurrent: () => true },
    drafts: () => [...server.values()],
    fetchAll: async () => [...server.values()],
    newest: () => Math.max(0, ...server.keys()),
    async add(to: ConversationRef, content: string, changed: number) {
      const id = server.size + 1;
      requests.push(`add ${id}`);
      server.set(id, { id, to, content, changed });
      return id;
    },
    async edit(id: number, to: ConversationRef, content: string, changed: number) {
      requests.push(`edit ${id}`);
      server.set(id, { id, to, content, changed });
    },
    async remove(id: number) {
      requests.push(`remove ${id}`);
      server.delete(id);
    },
  };
  const open = () => new Drafts(rowsByPlace(disk), sharing, clock, keyOfConversation);
  return { open, clock, disk, server, requests };
}

test("moves drafts with their topic, once for all clients of a user", async () => {
  const { open, clock, disk, server, requests } = shareDrafts();
  const [here, there] = [open(), open()];
  here.change(oldKey, before, "half a thought");
  await clock.passTime(2000);
  await here.settled();
  await there.load();
  for (const drafts of [here, there]) drafts.follow(oldKey, after, false);
  for (const drafts of [here, there]) {
    expect([drafts.of(oldKey), drafts.of(newKey)?.text]).toEqual([undefined, "half a thought"]);
  }
  await clock.passTime(2000);
  for (const drafts of [here, there]) await drafts.settled();
  expect([...server.values()]).toMatchObject([{ to: after, content: "half a thought" }]);
  expect(requests).toEqual(["add 1", "edit 1"]);
  expect([...disk.keys()]).toEqual([newKey]);
  expect(here.of(newKey)?.text).toBe("half a thought");
});

test("keeps a moved draft on the next page, before the event of its move", async () => {
  const { open, clock, server } = shareDrafts();
  const drafts = open();
  drafts.change(oldKey, before, "half a thought");
  await clock.passTime(2000);
  await drafts.settled();
  const stale = server.get(1)!;
  drafts.follow(oldKey, after, true);
  await clock.passTime(2000);
  await drafts.settled();
  await drafts.flush();
  const moved = server.get(1)!;
  server.set(1, stale);
  const later = open();
  await later.load();
  expect(later.of(newKey)?.text).toBe("half a thought");
  server.set(1, moved);
  expect(later.of(newKey)?.text).toBe("half a thought");
});

test("keeps a draft of the topic into which another one is moved", async () => {
  const { open, clock, server } = shareDrafts();
  const drafts = open();
  drafts.change(newKey, after, "was there");
  await clock.passTime(2000);
  drafts.change(oldKey, before, "comes along");
  drafts.follow(oldKey, after, false);
  expect(drafts.of(newKey)?.text).toBe("was there");
  drafts.follow(newKey, before, true);
  expect(drafts.of(oldKey)?.text).toBe("was there");
  await clock.passTime(2000);
  await drafts.settled();
  const contents = [...server.values()].map(({ content, to }) => [content, to]);
  expect(contents).toEqual([
    ["was there", before],
    ["comes along", before],
  ]);
});

const field = (page: Page) => page.locator(".compose textarea:enabled");
const textIn = (page: Page) => field(page).inputValue();

async function post(topic: string): Promise<number> {
  const to = { type: "channel", to: fixture.stream_id, topic, content: "Here I stay" };
  return (await fixture.testServer.request("bo", "POST /messages", to)).id;
}

const change = (id: number, params: object) =>
  fixture.testServer.request("ada", `PATCH /messages/${id}`, {
    ...{ propagate_mode: "change_all", send_notification_to_new_thread: false },
    ...params,
  });

/** The topics of the messages with this text. */
async function topicsOf(content: string): Promise<string[]> {
  const query = { anchor: "newest", num_before: 50, num_after: 0, apply_markdown: false };
  const { messages } = await fixture.testServer.request("ada", "GET /messages", query);
  return messages
    .filter((message: { content: string }) => message.content === content)
    .map(({ subject }: { subject: string }) => subject);
}

test("keeps the text and the focus when the open topic is renamed or resolved", async () => {
  const id = await post("cy7");
  const page = await (
    await fixture.sessionOf("ada")
  ).tab(`/#narrow/channel/${fixture.stream_id}-design/topic/cy7`);
  await field(page).click();
  await page.keyboard.type("one");
  await change(id, { topic: "cy8" });
  await page.waitForURL(/topic\/cy8/);
  await page.keyboard.type(" two");
  expect(await textIn(page)).toBe("one two");
  await change(id, { topic: "✔ cy8" });
  await page.waitForURL(/topic\/.E2.9C.94.20cy8/);
  await page.keyboard.type(" three");
  expect(await textIn(page)).toBe("one two three");
  // The user resolves it, or not, here.
  await page.getByRole("button", { name: /^Unresolve/ }).click();
  await page.waitForURL(/topic\/cy8/);
  expect(await textIn(page)).toBe("one two three");
  await until(async () => (await topicsOf("Here I stay")).includes("cy8"));
  // A stored draft has followed, too, and the message goes to the new topic.
  await page.reload();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "one two three");
  const drafts = async () => {
    const { drafts: all } = await fixture.testServer.request("ada", "GET /drafts");
    return all.filter(({ content }: { content: string }) => content.startsWith("one"));
  };
  await until(async () => (await drafts()).at(0)?.topic === "cy8");
  expect((await drafts()).length).toBe(1);
  await field(page).press("Control+Enter");
  await until(async () => (await topicsOf("one two three")).length > 0);
  expect(await topicsOf("one two three")).toEqual(["cy8"]);
  await until(async () => (await drafts()).length === 0);
});

test("sends a reply from a channel's feed to the new topic of the answered message", async () => {
  const [id, other] = [await post("dy7"), await post("dy9")];
  const page = await (
    await fixture.sessionOf("ada")
  ).tab(`/#narrow/channel/${fixture.stream_id}-design`);
  await page.locator(`#m${id}`).press("r");
  await page.keyboard.type("my answer");
  await change(id, { topic: "✔ dy7" });
  await page.locator(".compose-to", { hasText: "resolved" }).waitFor();
  expect(await textIn(page)).toBe("my answer");
  await field(page).press("Control+Enter");
  await until(async () => (await topicsOf("my answer")).length > 0);
  expect(await topicsOf("my answer")).toEqual(["✔ dy7"]);
  // Only the answered message is moved, and then deleted.
  await page.locator(`#m${other}`).press("r");
  await page.keyboard.type("another answer");
  await post("dy9");
  await change(other, { topic: "dy10", propagate_mode: "change_one" });
  await page.locator(".compose-topic", { hasText: "dy10" }).waitFor();
  await fixture.testServer.request("ada", `DELETE /messages/${other}`);
  await page.locator(`#m${other}`).waitFor({ state: "detached" });
  expect(await textIn(page)).toBe("another answer");
  await page.locator(".compose-topic", { hasText: "dy10" }).waitFor();
  await field(page).fill("");
});

test("keeps the focus in an edited message when its topic is renamed", async () => {
  const { id } = await fixture.testServer.request("ada", "POST /messages", {
    ...{ type: "channel", to: fixture.stream_id, topic: "ey7", content: "Mine" },
  });
  const page = await (
    await fixture.sessionOf("ada")
  ).tab(`/#narrow/channel/${fixture.stream_id}-design/topic/ey7`);
  await page.locator(`#m${id}`).press("e");
  const edited = page.locator(`#m${id} .edit-box textarea`);
  await edited.waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.type("Always ");
  await change(id, { topic: "ey8" });
  await page.waitForURL(/topic\/ey8/);
  await page.locator(`#m${id} textarea:focus`).waitFor();
  await page.keyboard.type("and only ");
  expect(await edited.inputValue()).toBe("Always and only Mine");
  // Keys that the user types after the message is deleted run no shortcuts.
  const { id: last } = await fixture.testServer.request("bo", "POST /messages", {
    ...{ type: "channel", to: fixture.stream_id, topic: "ey8", content: "Not mine" },
  });
  await page.locator(`#m${last}`).waitFor();
  await fixture.testServer.request("ada", `DELETE /messages/${id}`);
  await page.locator(`#m${id}`).waitFor({ state: "detached" });
  await page.keyboard.type(" r");
  expect(await page.locator("article:focus-within, textarea:focus").count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.keyboard.type("r");
  await page.locator(".compose textarea:focus").waitFor();
});
