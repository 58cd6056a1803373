// Permissions for a channel's topic and deletion settings.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

const REFUSAL = { status: 400, code: "BAD_REQUEST", msg: "Insufficient permission" };

let testServer: TestServer;
let garden: number;
let nobody: number;
let members: number;

beforeEach(async () => {
  testServer = await startTestServer();
  const { user_groups } = await testServer.request("olga", "GET /user_groups");
  const idOf = (name: string) => user_groups.find((group: Params) => group["name"] === name).id;
  [nobody, members] = [idOf("role:nobody"), idOf("role:members")];
  const created = { name: "garden", subscribers: [testServer.idOf("bo")] };
  garden = (await testServer.request("olga", "POST /channels/create", created)).id;
  const requester = { can_administer_channel_group: { new: members } };
  await testServer.request("olga", `PATCH /streams/${garden}`, requester);
  await testServer.request("olga", "PATCH /realm", {
    can_set_topics_policy_group: { new: nobody },
    can_set_delete_message_policy_group: { new: nobody },
  });
});
afterEach(() => testServer.close());

const CHANGES: [string, () => Params, Params][] = [
  ["its topics", () => ({ topics_policy: "disable_empty_topic" }), { topics_policy: "inherit" }],
  ["who deletes any", () => ({ can_delete_any_message_group: { new: members } }), {}],
  ["who deletes own", () => ({ can_delete_own_message_group: { new: members } }), {}],
];

test.each(CHANGES)("lets only administrators by default decide %s", async (_, change, back) => {
  const line = `PATCH /streams/${garden}`;
  expect(await testServer.refused("bo", line, change())).toMatchObject(REFUSAL);
  await testServer.request("ada", line, change());
  await testServer.request("ada", line, back);
});

test("lets only administrators decide in a new channel too", async () => {
  const own = {
    subscribers: [],
    topics_policy: "disable_empty_topic",
    can_delete_any_message_group: members,
  };
  const created = { name: "of bo", ...own };
  expect(await testServer.refused("bo", "POST /channels/create", created)).toMatchObject(REFUSAL);
  const { id } = await testServer.request("ada", "POST /channels/create", {
    name: "of ada",
    ...own,
  });
  const { stream } = await testServer.request("ada", `GET /streams/${id}`);
  expect(stream).toMatchObject({
    topics_policy: "disable_empty_topic",
    can_delete_any_message_group: members,
  });
});
