// Statuses: what people say of themselves.
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

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

/** What falls due meanwhile has happened after it. */
async function pass(seconds: number): Promise<void> {
  testServer.clock.pass(seconds);
  testServer.realm.onDue();
  const jobs = () => [...testServer.realm.read.due.range()];
  while (jobs().some((job) => job.at <= testServer.clock.now())) await Bun.sleep(1);
}

const says = (refusal: Refusal) => ({ msg: refusal.message, code: refusal.errCode });
const say = (params: Params) => testServer.ask("bo", "POST /users/me/status", params);
const statusOfBo = async () =>
  (await testServer.ask("cy", `GET /users/${testServer.idOf("bo")}/status`)).status;

test("a status is said, seen and taken back", async () => {
  const said = await staysInSync(testServer, ["bo", "cy"], () =>
    say({ status_text: " on the boat ", emoji_name: "car" }),
  );
  const status = {
    status_text: "on the boat",
    emoji_name: "car",
    emoji_code: "1f697",
    reaction_type: "unicode_emoji",
  };
  expect(said.heard.cy![0]).toMatchObject({
    type: "user_status",
    user_id: testServer.idOf("bo"),
    ...status,
  });
  expect(await statusOfBo()).toEqual(status);

  const quiet = await staysInSync(testServer, ["bo", "cy"], () => say({ emoji_name: "" }));
  expect(quiet.heard.cy![0]).toMatchObject({
    emoji_name: "",
    emoji_code: "",
    reaction_type: "unicode_emoji",
  });
  expect(await statusOfBo()).toEqual({ status_text: "on the boat" });
  await staysInSync(testServer, ["bo", "cy"], () => say({ status_text: "" }));
  expect(await statusOfBo()).toEqual({});
});

test("an administrator may say it for somebody", async () => {
  const path = `POST /users/${testServer.idOf("bo")}/status`;
  await staysInSync(testServer, ["bo"], () => testServer.ask("ada", path, { status_text: "ill" }));
  expect(await statusOfBo()).toEqual({ status_text: "ill" });
  expect((await testServer.refused("cy", path, { status_text: "ill" })).code).toBe(
    "UNAUTHORIZED_PRINCIPAL",
  );
});

test("being away is presence turned off, to older clients", async () => {
  const { heard } = await staysInSync(testServer, ["cy"], () => say({ away: true }));
  expect(heard.cy!.map((event) => event["type"])).toEqual(["user_status", "presence"]);
  expect(await statusOfBo()).toEqual({ away: true });
  await staysInSync(testServer, ["cy"], () =>
    testServer.ask("bo", "PATCH /settings", { presence_enabled: true }),
  );
  expect(await statusOfBo()).toEqual({});
});

test("to be away and what one says are told together", async () => {
  const said = { away: true, status_text: "out" };
  const { heard } = await staysInSync(testServer, ["cy"], () => say(said));
  const told = heard.cy!.filter(({ type }) => type === "user_status");
  expect(told).toMatchObject([{ user_id: testServer.idOf("bo"), ...said }]);
  expect(await statusOfBo()).toEqual(said);
});

test("what a status cannot be", async () => {
  const cases: [Params, object][] = [
    [{}, says(noNewStatus())],
    [{ status_text: "x".repeat(61) }, { msg: "status_text is too long (limit: 60 characters)" }],
    [{ emoji_code: "1f697" }, says(emojiNameMissing())],
    [{ emoji_name: "no_such" }, says(emojiNotFound("no_such"))],
    [{ emoji_name: "car", emoji_code: "nope" }, says(emojiCodeInvalid())],
    [{ emoji_name: "car", emoji_code: "1f525" }, says(emojiNameInvalid())],
    [{ emoji_name: "car", reaction_type: "song" }, says(emojiTypeInvalid())],
    [
      { emoji_name: "car", emoji_code: "zulip", reaction_type: "service_extra_emoji" },
      says(emojiNameInvalid()),
    ],
  ];
  for (const [params, refusal] of cases) {
    expect(await testServer.refused("bo", "POST /users/me/status", params)).toMatchObject(refusal);
  }
  await say({ emoji_name: "zulip", reaction_type: "service_extra_emoji" });
  expect((await statusOfBo()).emoji_code).toBe("zulip");
});

test("a status that was given an end is cleared then, unless something else was said", async () => {
  const { now } = testServer.realm.read;
  await staysInSync(testServer, ["bo", "cy"], () =>
    say({ status_text: "at lunch", ends_at: now + 600 }),
  );
  expect(
    (await testServer.refused("bo", "POST /users/me/status", { status_text: "no", ends_at: now }))
      .msg,
  ).toBe(deliveryTimePast().message);
  const { heard } = await staysInSync(testServer, ["bo", "cy"], () => pass(601));
  expect(heard.cy![0]).toMatchObject({ type: "user_status", status_text: "", emoji_name: "" });
  expect(await statusOfBo()).toEqual({});

  await say({ status_text: "in a meeting", ends_at: testServer.realm.read.now + 600 });
  testServer.clock.pass(60);
  await say({ status_text: "on the boat" });
  await pass(601);
  expect(await statusOfBo()).toEqual({ status_text: "on the boat" });
});
