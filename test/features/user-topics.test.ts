// Muted, unmuted and followed topics, and muted users.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
let closed_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const make = async (name: string, params: Params = {}) => {
    const subscribers = [
      testServer.idOf("bo"),
      ...(params["invite_only"] ? [] : [testServer.idOf("cy")]),
    ];
    return (
      await testServer.request("bo", "POST /channels/create", { name, subscribers, ...params })
    ).id;
  };
  stream_id = await make("garden");
  closed_id = await make("shed", { invite_only: true });
});
afterEach(() => testServer.close());

const MUTED_TOPICS = "PATCH /users/me/subscriptions/muted_topics";
const setPolicy = (name: Name, topic: string, visibility_policy: number) =>
  testServer.request(name, "POST /user_topics", { stream_id, topic, visibility_policy });

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg, extra } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({
    status,
    code,
    msg,
    ...extra,
  });
}

const describeEvents = (events: Json[] | undefined) =>
  (events ?? []).map(({ type, op }) => [type, op].filter(Boolean).join(" "));

test("mutes, follows and resets a topic in any letter case", async () => {
  const muted = await staysInSync(testServer, ["bo", "cy"], () => setPolicy("bo", "Peas", 1));
  expect(describeEvents(muted.events.bo)).toEqual(["muted_topics", "user_topic"]);
  expect(muted.events.cy).toEqual([]);
  expect(muted.events.bo![0]!["muted_topics"]).toEqual([["garden", "Peas", expect.any(Number)]]);
  const followed = await staysInSync(testServer, ["bo"], () => setPolicy("bo", "PEAS", 3));
  expect(followed.events.bo![1]).toMatchObject({ topic_name: "PEAS", visibility_policy: 3 });
  expect(
    (await staysInSync(testServer, ["bo"], () => setPolicy("bo", "peas", 3))).events.bo,
  ).toEqual([]);
  await staysInSync(testServer, ["bo"], () => setPolicy("bo", "peas", 0));
  expect(testServer.realm.read.user_topics.listBy("user", testServer.idOf("bo"))).toEqual([]);
});

test("accepts the topic without a name", async () => {
  await staysInSync(testServer, ["bo"], () => setPolicy("bo", "", 1));
  await staysInSync(testServer, ["bo"], () => setPolicy("bo", "general chat", 0));
  expect(testServer.realm.read.user_topics.listBy("user", testServer.idOf("bo"))).toEqual([]);
});

test("accepts the list format of older clients", async () => {
  const params = { stream: "Garden", topic: "beans", op: "add" };
  await staysInSync(testServer, ["bo"], () => testServer.request("bo", MUTED_TOPICS, params));
  const remove = { stream_id, topic: "BEANS", op: "remove" };
  await staysInSync(testServer, ["bo"], () => testServer.request("bo", MUTED_TOPICS, remove));
  const secondResult = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", MUTED_TOPICS, remove),
  );
  expect(secondResult.events.bo).toEqual([]);
  for (const unknown of [closed_id, 9999]) {
    const from = { ...remove, stream_id: unknown };
    await expectRefused(channelErrors.topicNotMuted(), "cy", MUTED_TOPICS, from);
  }
  const twice = { ...params, stream_id };
  await expectRefused(channelErrors.channelGivenTwice(), "bo", MUTED_TOPICS, twice);
  const neither = { topic: "beans", op: "add" };
  await expectRefused(errors.missingParameter("stream_id"), "bo", MUTED_TOPICS, neither);
});

test("rejects unknown policies and inaccessible channels", async () => {
  const line = "POST /user_topics";
  const params = { stream_id, topic: "peas", visibility_policy: 4 };
  await expectRefused(channelErrors.invalidValue("visibility_policy"), "bo", line, params);
  const hidden = { stream_id: closed_id, topic: "peas", visibility_policy: 1 };
  await expectRefused(channelErrors.channelNotFound(), "cy", line, hidden);
  await testServer.request("cy", line, { ...hidden, visibility_policy: 0 });
  await expectRefused(channelErrors.tooLong("topic", 60), "bo", line, {
    ...params,
    topic: "t".repeat(61),
    visibility_policy: 1,
  });
});

test("marks past and later messages of a muted user as read", async () => {
  const post = (content: string) =>
    testServer.request("cy", "POST /messages", {
      type: "stream",
      to: stream_id,
      topic: "t",
      content,
    });
  await post("one");
  const line = `/users/me/muted_users/${testServer.idOf("cy")}`;
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", `POST ${line}`),
  );
  expect(describeEvents(events.bo)).toEqual(["update_message_flags add", "muted_users"]);
  expect(events.cy).toEqual([]);
  const posted = await staysInSync(testServer, ["bo"], () => post("two"));
  const message = posted.events.bo!.find(({ type }) => type === "message");
  expect(message!["flags"]).toEqual(["read"]);

  await expectRefused(channelErrors.alreadyMuted(), "bo", `POST ${line}`);
  await expectRefused(channelErrors.muteOfSelf(), "cy", `POST ${line}`);
  await expectRefused(channelErrors.userNotFound(), "bo", "POST /users/me/muted_users/9999");
  await staysInSync(testServer, ["bo"], () => testServer.request("bo", `DELETE ${line}`));
  await expectRefused(channelErrors.notMuted(), "bo", `DELETE ${line}`);
});
