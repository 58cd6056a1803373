// User statuses: setting and clearing them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Refusal } from "../../src/contract/errors/general.ts";
import {
  deliveryTimePast,
  emojiCodeInvalid,
  emojiNameInvalid,
  emojiNotFound,
  emojiTypeInvalid,
} from "../../src/contract/errors/messages.ts";
import { emojiNameMissing, noNewStatus } from "../../src/contract/errors/people.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

/** Advances the clock and runs due jobs. */
async function passTime(seconds: number): Promise<void> {
  testServer.clock.passSeconds(seconds);
  testServer.realm.onDue();
  const jobs = () => [...testServer.realm.read.due.range()];
  await until(() => !jobs().some((job) => job.at <= testServer.clock.now()));
}

const errorBody = (refusal: Refusal) => ({ msg: refusal.message, code: refusal.errCode });
const post = (params: Params) => testServer.request("bo", "POST /users/me/status", params);
const statusOfBo = async () =>
  (await testServer.request("cy", `GET /users/${testServer.idOf("bo")}/status`)).status;

test("sets, shows and clears a status", async () => {
  const fields = await staysInSync(testServer, ["bo", "cy"], () =>
    post({ status_text: " on the boat ", emoji_name: "car" }),
  );
  const status = {
    status_text: "on the boat",
    emoji_name: "car",
    emoji_code: "1f697",
    reaction_type: "unicode_emoji",
  };
  expect(fields.events.cy![0]).toMatchObject({
    type: "user_status",
    user_id: testServer.idOf("bo"),
    ...status,
  });
  expect(await statusOfBo()).toEqual(status);

  const quiet = await staysInSync(testServer, ["bo", "cy"], () => post({ emoji_name: "" }));
  expect(quiet.events.cy![0]).toMatchObject({
    emoji_name: "",
    emoji_code: "",
    reaction_type: "unicode_emoji",
  });
  expect(await statusOfBo()).toEqual({ status_text: "on the boat" });
  await staysInSync(testServer, ["bo", "cy"], () => post({ status_text: "" }));
  expect(await statusOfBo()).toEqual({});
});

test("lets an administrator set a user's status", async () => {
  const path = `POST /users/${testServer.idOf("bo")}/status`;
  await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", path, { status_text: "ill" }),
  );
  expect(await statusOfBo()).toEqual({ status_text: "ill" });
  expect((await testServer.refused("cy", path, { status_text: "ill" })).code).toBe(
    "UNAUTHORIZED_PRINCIPAL",
  );
});

test("sends being away to older clients as disabled presence", async () => {
  const { events } = await staysInSync(testServer, ["cy"], () => post({ away: true }));
  expect(events.cy!.map((event) => event["type"])).toEqual(["user_status", "presence"]);
  expect(await statusOfBo()).toEqual({ away: true });
  await staysInSync(testServer, ["cy"], () =>
    testServer.request("bo", "PATCH /settings", { presence_enabled: true }),
  );
  expect(await statusOfBo()).toEqual({});
});

test("sends away and the text together", async () => {
  const fields = { away: true, status_text: "out" };
  const { events } = await staysInSync(testServer, ["cy"], () => post(fields));
  const received = events.cy!.filter(({ type }) => type === "user_status");
  expect(received).toMatchObject([{ user_id: testServer.idOf("bo"), ...fields }]);
  expect(await statusOfBo()).toEqual(fields);
});

test("rejects an invalid status", async () => {
  const cases: [Params, object][] = [
    [{}, errorBody(noNewStatus())],
    [{ status_text: "x".repeat(61) }, { msg: "status_text is too long (limit: 60 characters)" }],
    [{ emoji_code: "1f697" }, errorBody(emojiNameMissing())],
    [{ emoji_name: "no_such" }, errorBody(emojiNotFound("no_such"))],
    [{ emoji_name: "car", emoji_code: "nope" }, errorBody(emojiCodeInvalid())],
    [{ emoji_name: "car", emoji_code: "1f525" }, errorBody(emojiNameInvalid())],
    [{ emoji_name: "car", reaction_type: "song" }, errorBody(emojiTypeInvalid())],
    [
      { emoji_name: "car", emoji_code: "zulip", reaction_type: "service_extra_emoji" },
      errorBody(emojiNameInvalid()),
    ],
  ];
  for (const [params, refusal] of cases) {
    expect(await testServer.refused("bo", "POST /users/me/status", params)).toMatchObject(refusal);
  }
  await post({ emoji_name: "zulip", reaction_type: "service_extra_emoji" });
  expect((await statusOfBo()).emoji_code).toBe("zulip");
});

test("clears a status at its end, unless it was changed", async () => {
  const { now } = testServer.realm.read;
  await staysInSync(testServer, ["bo", "cy"], () =>
    post({ status_text: "at lunch", ends_at: now + 600 }),
  );
  expect(
    (await testServer.refused("bo", "POST /users/me/status", { status_text: "no", ends_at: now }))
      .msg,
  ).toBe(deliveryTimePast().message);
  const { events } = await staysInSync(testServer, ["bo", "cy"], () => passTime(601));
  expect(events.cy![0]).toMatchObject({ type: "user_status", status_text: "", emoji_name: "" });
  expect(await statusOfBo()).toEqual({});

  await post({ status_text: "in a meeting", ends_at: testServer.realm.read.now + 600 });
  testServer.clock.passSeconds(60);
  await post({ status_text: "on the boat" });
  await passTime(601);
  expect(await statusOfBo()).toEqual({ status_text: "on the boat" });
});

test("appears and disappears with its user for a guest with limited visibility", async () => {
  await post({ status_text: "on the boat" });
  const { groups } = testServer.realm.read;
  const allow = (name: string) => {
    const setting = { new: groups.findBy("name", `role:${name}`)!.id };
    return testServer.request("olga", "PATCH /realm", { can_access_all_users_group: setting });
  };
  const statusEvents = async (action: () => Promise<unknown>) => {
    const { events } = await staysInSync(testServer, ["cy", "gus"], action);
    return [events.gus!, events.cy!].map((list) =>
      list.filter(({ type }) => type === "user_status"),
    );
  };
  const status = { user_id: testServer.idOf("bo"), status_text: "on the boat" };
  expect(await statusEvents(() => allow("members"))).toEqual([[], []]);
  const garden = { name: "garden", subscribers: [testServer.idOf("gus")] };
  await testServer.request("olga", "POST /channels/create", garden);
  const subscriptions = { subscriptions: [{ name: "garden" }] };
  const subscribe = () => testServer.request("bo", "POST /users/me/subscriptions", subscriptions);
  expect(await statusEvents(subscribe)).toMatchObject([[status], []]);
  const unsubscribe = { subscriptions: ["garden"] };
  expect(
    await statusEvents(() =>
      testServer.request("bo", "DELETE /users/me/subscriptions", unsubscribe),
    ),
  ).toEqual([[], []]);
  const direct = { type: "direct", to: [testServer.idOf("gus")], content: "ahoy" };
  expect(
    await statusEvents(() => testServer.request("bo", "POST /messages", direct)),
  ).toMatchObject([[status], []]);
  expect(await statusEvents(() => allow("everyone"))).toEqual([[], []]);
});
