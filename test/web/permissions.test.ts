// The client offers what the server permits, for all users and settings.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  canDelete,
  canDeleteTopic,
  canEdit,
  canRetopic,
  canMoveToOtherChannel,
} from "../../src/web/features/messages/permissions.ts";
import type { Message } from "../../src/web/contract/message.ts";
import { isOpen, canResolve } from "../../src/web/features/topics/permissions.ts";
import type { Snapshot } from "../../src/web/contract/snapshot.ts";
import { hydrate } from "../../src/web/store/state.ts";
import { REGISTER } from "../../src/web/sync/versions.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

const PEOPLE = ["olga", "ada", "mo", "bo", "cy", "gus"] as const satisfies readonly Name[];
const SETTINGS: readonly Record<string, unknown>[] = [
  {},
  { allow_message_editing: false },
  { message_content_edit_limit_seconds: 60 },
  { message_content_delete_limit_seconds: 60, can_delete_own_message_group: "role:everyone" },
  { can_delete_own_message_group: "role:moderators" },
  { can_delete_any_message_group: "role:members" },
  { can_move_messages_between_topics_group: "role:administrators" },
  { can_move_messages_between_topics_group: "role:members" },
  { move_messages_within_stream_limit_seconds: 60 },
  { can_move_messages_between_channels_group: "role:members" },
  { is_archived: true },
];

let testServer: TestServer;
let [from, to] = [0, 0];
beforeAll(async () => {
  testServer = await startTestServer();
  const principals = PEOPLE.map((name) => testServer.idOf(name));
  const subscriptions = [{ name: "from" }, { name: "to" }];
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions, principals });
  const idOf = async (stream: string) =>
    (await testServer.request("ada", "GET /get_stream_id", { stream })).stream_id as number;
  [from, to] = [await idOf("from"), await idOf("to")];
});
afterAll(() => testServer?.close());

/** Whether a request succeeds; a successful one is undone. */
async function isAllowed(name: Name, line: string, params: Record<string, unknown> = {}) {
  const { status } = await testServer.send(name, line, params);
  return status === 200;
}

async function post(): Promise<number> {
  const message = { type: "channel", to: from, topic: `topic ${(topics += 1)}`, content: "Hello" };
  return (await testServer.request("bo", "POST /messages", message)).id as number;
}
let topics = 0;

/** Only subscribers can be sure to see the topic. */
const topicOf = async (id: number): Promise<string> =>
  (await testServer.request("bo", `GET /messages/${id}`)).message.subject;

const archive = () => testServer.request("olga", `DELETE /streams/${from}`);
const restore = () => testServer.request("olga", `PATCH /streams/${from}`, { is_archived: false });

async function groupId(name: string): Promise<number> {
  const { user_groups } = await testServer.request("olga", "GET /user_groups");
  return user_groups.find((group: { name: string }) => group.name === name).id;
}

for (const settings of SETTINGS) {
  test(`offered actions are allowed under ${JSON.stringify(settings)}`, async () => {
    const requested: Record<string, unknown> = {};
    const { is_archived, ...ofRealm } = settings;
    for (const [name, value] of Object.entries(ofRealm)) {
      requested[name] = typeof value === "string" ? { new: await groupId(value) } : value;
    }
    if (Object.keys(requested).length > 0)
      await testServer.request("olga", "PATCH /realm", requested);
    for (const name of PEOPLE) {
      const id = await post();
      if (is_archived) await archive();
      testServer.clock.passSeconds(90);
      const snapshot = await testServer.request(name, "POST /register", { ...REGISTER });
      const state = hydrate(snapshot as Snapshot);
      const { message } = await testServer.request(name, `GET /messages/${id}`);
      const now = testServer.clock.now() / 1000;
      const visibleControls = {
        edit: canEdit(state, message as Message, now),
        topic: canRetopic(state, message as Message, now),
        channel: canMoveToOtherChannel(state, message as Message, now),
        delete: canDelete(state, message as Message, now),
        resolve: canResolve(from, state),
        deleteTopic: canDeleteTopic(state, from),
        act: isOpen((message as Message).stream_id, state),
      };
      const path = `/messages/${id}`;
      const granted = {
        edit: await isAllowed(name, `PATCH ${path}`, { content: "Hello again" }),
        topic: await isAllowed(name, `PATCH ${path}`, { topic: `other ${id}` }),
        resolve: await isAllowed(name, `PATCH ${path}`, { topic: `✔ ${await topicOf(id)}` }),
        act: await isAllowed(name, `POST ${path}/reactions`, { emoji_name: "tada" }),
        channel: await isAllowed(name, `PATCH ${path}`, { stream_id: to }),
        deleteTopic: await isAllowed(name, `POST /streams/${from}/delete_topic`, {
          topic_name: "topic 0",
        }),
        delete: await isAllowed(name, `DELETE ${path}`),
      };
      if (is_archived) await restore();
      expect({ name, ...visibleControls }).toEqual({ name, ...granted });
    }
  });
}
