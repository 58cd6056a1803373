// Data that an earlier version of the client left on the device is neither lost nor sent twice.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Json } from "../test-server.ts";
import { device, halfSent, PLAIN_PAGE, restore, rowsOfToday } from "./device-data/restore.ts";
import {
  FILE_BYTES,
  openScene,
  type DeviceFixture,
  SENT_TEXT,
  topicAt,
  UNREAD_FROM,
} from "./device-data/scene.ts";
import { readStoredRows } from "./stored-data.ts";
import { until } from "./composer-content.ts";

const PIECE_BYTES = 2 * 1024 * 1024;

test("sends everything that an earlier version left, once, and keeps the rest", async () => {
  const { scene: deviceFixture, page, requests } = await openRestored();
  // Otherwise the view may open at the first message that the device marks as unread.
  const address = `${deviceFixture.fixture.topicUrl}/near/${deviceFixture.ids.begun}`;
  await page.goto(`${page.url().split("/help")[0]}${address}`);
  await page.locator(`#m${deviceFixture.ids.begun} .edit-box textarea`).waitFor();
  const getServerState = async () => await serverState(deviceFixture);
  await untilEqual(getServerState, SERVER_STATE);
  await untilEqual(() => deviceState(deviceFixture, page), DEVICE_STATE);
  await untilEqual(() => draftState(deviceFixture), DRAFTS);
  await isShown(deviceFixture, page);

  const sentRequests = requests.filter((line) => !line.startsWith("GET"));
  expect(sentRequests.filter((line) => line === "POST /json/messages")).toHaveLength(5);
  expect(sentRequests.filter((line) => line === "POST /json/tus/")).toEqual([]);
  requests.length = 0;
  await page.reload();
  await page.locator("body[data-whole]").waitFor();
  expect(await serverState(deviceFixture)).toEqual(SERVER_STATE);
  expect(await deviceState(deviceFixture, page)).toEqual(DEVICE_STATE);
  expect(
    requests.filter((line) => /(POST|PATCH|DELETE) \/json\/(messages|tus)/.test(line)),
  ).toEqual([]);
  await deviceFixture.fixture.close();
});

/** Opens a browser that has the recorded data before its first page with a client. */
async function openRestored() {
  const deviceFixture = await openScene();
  const { testServer, stream_id } = deviceFixture.fixture;
  expect([testServer.idOf("bo"), stream_id]).toEqual([device.user_id, device.stream_id]);
  expect(deviceFixture.ids).toEqual(device.message_ids as typeof deviceFixture.ids);
  const rows = rowsOfToday();
  for (const { id } of rows.outbox.filter(({ state }) => state === "sent"))
    expect((await deviceFixture.fixture.post("bo", SENT_TEXT)).id).toBe(id);
  const synced = rows.drafts.filter(({ draft_id }) => draft_id !== undefined);
  for (const { to, synced: content, draft_id } of synced.toSorted(
    (a, b) => a.draft_id - b.draft_id,
  )) {
    const draft = { type: "stream", to: [to.stream_id], topic: to.topic, content, timestamp: 1 };
    const { ids } = await testServer.request("bo", "POST /drafts", { drafts: [draft] });
    expect(ids).toEqual([draft_id]);
  }
  const session = await deviceFixture.fixture.sessionOf("bo");
  const page = await session.context.newPage();
  await page.goto(PLAIN_PAGE);
  const path = await halfSent(page, "half.txt", FILE_BYTES, PIECE_BYTES);
  await restore(page, { ...rows, files: rows.files.map((file) => ({ ...file, path })) });
  const requests: string[] = [];
  session.context.on("request", (request) => {
    requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return { scene: deviceFixture, session, page, requests };
}

async function untilEqual(state: () => Promise<Json>, expected: Json): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const there = await state();
    if (Bun.deepEquals(there, expected)) return;
    if (performance.now() > deadline) expect(there).toEqual(expected);
    await Bun.sleep(100);
  }
}

const SERVER_STATE = {
  logo: [
    "Without a typo",
    "An edit begins here",
    "Nobody may change this",
    SENT_TEXT,
    "First offline",
    "Second offline",
    "Third offline",
  ],
  "sent offline": ["Draft in sent offline"],
  "right topic": ["In the wrong topic"],
  refused: [],
  unsure: [],
  direct: ["To Ada alone"],
  versions: 2,
  reactions: ["+1"],
  isStarred: true,
  isUnread: true,
  isDeleted: true,
  votes: 1,
  files: [FILE_BYTES],
};

/** The state after Bo's changes, for others and on the server. */
async function serverState({ fixture, ids }: DeviceFixture): Promise<Json> {
  const { testServer, stream_id } = fixture;
  const all = { anchor: "newest", num_before: 400, num_after: 0, apply_markdown: false };
  const me = testServer.idOf("bo");
  const ownContents = async (narrow: Json[]) => {
    const { messages } = await testServer.request("ada", "GET /messages", { narrow, ...all });
    return messages
      .filter(({ sender_id }: Json) => sender_id === me)
      .map(({ content }: Json) => content);
  };
  const inTopic = (topic: string) =>
    ownContents([
      { operator: "channel", operand: stream_id },
      { operator: "topic", operand: topic },
    ]);
  const messageSeenByBo = async (id: number) =>
    (await testServer.request("bo", `GET /messages/${id}`)).message;
  const { message_history } = await testServer.request("bo", `GET /messages/${ids.edited}/history`);
  const liked = await messageSeenByBo(ids.liked);
  const unread = await messageSeenByBo(UNREAD_FROM + 100);
  const poll = await messageSeenByBo(ids.poll);
  const deleted = await testServer.send("bo", `GET /messages/${ids.deleted}`);
  const { attachments } = await testServer.request("bo", "GET /attachments");
  return {
    logo: await inTopic("logo"),
    "sent offline": await inTopic("sent offline"),
    "right topic": await inTopic("right topic"),
    refused: await inTopic("refused"),
    unsure: await inTopic("unsure"),
    direct: await ownContents([{ operator: "dm", operand: [me] }]),
    versions: message_history.length,
    reactions: liked.reactions.map((reaction: Json) => reaction.emoji_name),
    isStarred: liked.flags.includes("starred"),
    isUnread: !unread.flags.includes("read"),
    isDeleted: deleted.status === 400,
    votes: poll.submessages.length - 1,
    files: attachments.map(({ size }: Json) => size),
  };
}

const DEVICE_STATE = {
  outbox: [
    ["Refused by the server", "refused"],
    ["Perhaps sent a day ago", "unsure"],
  ],
  doings: [["Changed all the same", "refused"]],
};

async function deviceState({ fixture }: DeviceFixture, page: Page): Promise<Json> {
  const me = fixture.testServer.idOf("bo");
  const [outbox, doings] = [
    await readStoredRows(page, me, "outbox"),
    await readStoredRows(page, me, "doings"),
  ];
  return {
    outbox: outbox.map(({ text, state }) => [text, state]),
    doings: doings.map(({ change, state }) => [change.content, state]),
  };
}

const DRAFTS = [
  "Draft in shared, changed offline",
  "Draft that no server has",
  "Draft to Cy",
  "From one tab",
  "From the other tab",
  "See this:\n[half.txt](FILE)",
];

/** Returns the texts of the drafts on the server. */
async function draftState({ fixture }: DeviceFixture): Promise<Json> {
  const { drafts } = await fixture.testServer.request("bo", "GET /drafts");
  return drafts
    .map(({ content }: Json) => content.replace(/\(\/user_uploads\/[^)]*\)/, "(FILE)"))
    .toSorted();
}

/** Checks that rows awaiting a decision show the reason, and drafts are in their places. */
async function isShown(deviceFixture: DeviceFixture, page: Page): Promise<void> {
  const { ids, fixture } = deviceFixture;
  const field = page.locator(`#m${ids.begun} .edit-box textarea`);
  expect(await field.inputValue()).toBe("An edit begins here, and goes on");
  const goTo = (address: string) =>
    page.evaluate((hash) => void (location.hash = hash), address.slice(1));
  await page.locator(`#m${ids.refused}[data-state=refused]`).waitFor();
  await goTo(topicAt(deviceFixture, "refused"));
  await page.locator("article[data-state=refused]", { hasText: "Not today" }).waitFor();
  await goTo(topicAt(deviceFixture, "unsure"));
  await page.locator("article[data-state=unsure]", { hasText: "Perhaps sent" }).waitFor();
  await goTo(`/#narrow/dm/${fixture.testServer.idOf("cy")}-x`);
  await until(page, (text) => text === "Draft to Cy");
  await goTo("/#drafts");
  await page.getByText("Draft without a recipient").waitFor();
}
