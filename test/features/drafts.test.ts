// Drafts are synced to all clients of a user.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
let closed_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const make = async (name: string, params: Params = {}) => {
    const subscribers = [testServer.idOf("bo")];
    return (
      await testServer.request("bo", "POST /channels/create", { name, subscribers, ...params })
    ).id;
  };
  stream_id = await make("garden");
  closed_id = await make("shed", { invite_only: true });
});
afterEach(() => testServer.close());

const draft = (params: Params = {}) => ({
  type: "stream",
  to: [stream_id],
  topic: "peas",
  content: "words",
  ...params,
});
const add = async (name: Name, ...drafts: Params[]) =>
  (await testServer.request(name, "POST /drafts", { drafts })).ids as number[];
const listDrafts = async (name: Name) => (await testServer.request(name, "GET /drafts")).drafts;

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params,
) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({ status, code, msg });
}

test("adds drafts together, changes and deletes them, with events only to the author", async () => {
  const addition = await staysInSync(testServer, ["cy", "bo"], () =>
    add("cy", draft({ timestamp: 1000.9 }), draft({ topic: "beans", timestamp: 2000 })),
  );
  const [first, second] = addition.result;
  const oldDraft = { id: first, type: "stream", to: [stream_id], topic: "peas", content: "words" };
  const recent = { ...oldDraft, id: second, topic: "beans", timestamp: 2000 };
  expect(addition.events.cy).toMatchObject([
    { type: "drafts", op: "add", drafts: [{ ...oldDraft, timestamp: 1000 }, recent] },
  ]);
  expect(addition.events.bo).toEqual([]);
  const response = await testServer.request("cy", "GET /drafts");
  expect(response).toMatchObject({ count: 2, drafts: [recent, { ...oldDraft, timestamp: 1000 }] });

  const line = `/drafts/${first}`;
  const to = [
    testServer.idOf("bo"),
    testServer.idOf("cy"),
    testServer.idOf("mo"),
    testServer.idOf("bo"),
  ];
  const update = { type: "private", to, topic: "peas", content: "  dear\n\n" };
  const updated = await staysInSync(testServer, ["cy"], () =>
    testServer.request("cy", `PATCH ${line}`, { draft: update }),
  );
  const others = [testServer.idOf("mo"), testServer.idOf("bo")].sort((a, b) => a - b);
  expect(updated.events.cy).toMatchObject([
    { op: "update", draft: { id: first, type: "private", to: others, topic: "" } },
  ]);
  expect((await listDrafts("cy"))[0]).toMatchObject({ id: first, content: "  dear" });

  const removal = await staysInSync(testServer, ["cy"], () =>
    testServer.request("cy", `DELETE ${line}`),
  );
  expect(removal.events.cy).toMatchObject([{ op: "remove", draft_id: first }]);
  expect(await listDrafts("cy")).toMatchObject([{ id: second }]);
});

test("accepts a draft with or without recipients", async () => {
  const own = testServer.idOf("gus");
  const cases: [Params, Params][] = [
    [draft({ type: "", to: [7] }), { type: "", to: [], topic: "" }],
    [draft({ type: "private", to: [] }), { type: "", to: [], topic: "" }],
    [draft({ type: "direct", to: [own] }), { type: "private", to: [own], topic: "" }],
    [draft({ type: "channel", topic: " general chat " }), { type: "stream", topic: "" }],
    [draft({ topic: "t".repeat(70) }), { topic: `${"t".repeat(57)}...` }],
    [draft({ content: "x".repeat(10_001) }), { content: expect.stringContaining("truncated") }],
  ];
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "garden" }],
    principals: [own],
  });
  for (const [input, expectedDraft] of cases) {
    const [id] = await add("gus", input);
    const foundDraft = (await listDrafts("gus")).find((item: { id: number }) => item.id === id);
    expect(foundDraft).toMatchObject(expectedDraft);
  }
});

test("rejects all drafts if one of them is invalid", async () => {
  const before = await listDrafts("bo");
  const cases: [Params, errors.Refusal][] = [
    [draft({ content: " \n" }), messageErrors.messageEmpty()],
    [draft({ content: "a\0b" }), messageErrors.messageWithNull()],
    [draft({ timestamp: -1 }), messageErrors.draftTimeNegative()],
    [draft({ to: [] }), messageErrors.draftChannelNotSingle()],
    [draft({ to: [stream_id, closed_id] }), messageErrors.draftChannelNotSingle()],
    [draft({ to: [9999] }), channelErrors.channelNotFound()],
    [draft({ topic: "a\0b" }), messageErrors.topicWithNull()],
    [draft({ type: "private", to: [9999] }), messageErrors.recipientIdInvalid(9999)],
    [draft({ id: 1 }), errors.malformed('Argument "id" at drafts[1] is unexpected')],
    [draft({ timestamp: 1e300 }), errors.malformed('drafts[1]["timestamp"] is too large')],
    [
      draft({ timestamp: 253_402_300_800 }),
      errors.malformed('drafts[1]["timestamp"] is too large'),
    ],
    [draft({ type: "song" }), errors.malformed('Invalid drafts[1]["type"]')],
  ];
  for (const [wrong, refusal] of cases) {
    await expectRefused(refusal, "bo", "POST /drafts", { drafts: [draft(), wrong] });
  }
  expect(await listDrafts("bo")).toEqual(before);
  const closedDrafts = { drafts: [draft({ to: [closed_id] })] };
  await expectRefused(channelErrors.channelNotFound(), "cy", "POST /drafts", closedDrafts);
});

test("rejects changes of another user's draft or a missing one", async () => {
  const [id] = await add("bo", draft());
  for (const [name, method] of [
    ["cy", id],
    ["bo", 9999],
  ] as const) {
    await expectRefused(messageErrors.draftNotFound(), name, `DELETE /drafts/${method}`, {});
    await expectRefused(messageErrors.draftNotFound(), name, `PATCH /drafts/${method}`, {
      draft: draft(),
    });
  }
  expect((await listDrafts("bo")).map((item: { id: number }) => item.id)).toContain(id);
});

test("returns the newest thousand drafts at register", async () => {
  const manyDrafts = Array.from({ length: 1010 }, (_, index) => draft({ timestamp: 5000 + index }));
  await add("mo", ...manyDrafts);
  const { drafts } = await testServer.request("mo", "POST /register");
  expect([drafts.length, drafts[0].timestamp, drafts[999].timestamp]).toEqual([1000, 6009, 5010]);
  expect((await testServer.request("mo", "GET /drafts")).count).toBe(1010);
});

test("stores and returns no drafts if the user does not synchronize them", async () => {
  await add("cy", draft());
  const setSharing = (value: boolean) =>
    testServer.request("cy", "PATCH /settings", { enable_drafts_synchronization: value });
  const { events } = await staysInSync(testServer, ["cy"], () => setSharing(false));
  expect(events.cy!.map((event) => event["type"])).toEqual(["user_settings"]);
  const off = messageErrors.draftsNotSynchronized();
  await expectRefused(off, "cy", "GET /drafts", {});
  await expectRefused(off, "cy", "POST /drafts", { drafts: [draft()] });
  await expectRefused(off, "cy", "PATCH /drafts/1", { draft: draft() });
  await expectRefused(off, "cy", "DELETE /drafts/1", {});
  await setSharing(true);
  expect(await listDrafts("cy")).toEqual([]);
});
