// Objects that are hidden from some users, each with a counterpart that does not exist.
import { createUser } from "../../src/features/accounts/actions.ts";
import type { Name } from "../users.ts";
import { upload } from "../features/upload-fixture.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { UNREACHABLE_URL } from "./fixture.ts";

/** Ids by kind: one that exists but is hidden from the caller, and one that does not exist. */
interface SecretObjects {
  /** Owners see every channel. */
  readonly channel?: HiddenAndAbsent<number>;
  readonly channelName?: HiddenAndAbsent<string>;
  /** Several kinds of messages; none may be distinguishable from one that was never sent. */
  readonly messages: readonly HiddenAndAbsent<number>[];
  readonly queue: HiddenAndAbsent<string>;
  /** Only for a guest who cannot see all users. */
  readonly person?: HiddenAndAbsent<number>;
  readonly email?: HiddenAndAbsent<string>;
  /** Ids by path parameter. */
  readonly inPaths: Readonly<Record<string, readonly HiddenAndAbsent<unknown>[]>>;
}

export interface HiddenAndAbsent<T> {
  readonly hidden: T;
  readonly absent: T;
}

export const REQUESTERS = ["cy", "bot", "gus", "olga"] as const;
type Requester = (typeof REQUESTERS)[number];

/** Ids that occur nowhere else, so that responses can be compared without them. */
const CHANNELS_FROM = 510_000;
const MESSAGES_FROM = 620_000;
const PEOPLE_FROM = 730_000;
const KEYS_FROM = 840_000;
const ABSENT_ID = 77_000;

export interface SecretServer {
  readonly testServer: TestServer;
  readonly secretsOf: Readonly<Record<Requester, SecretObjects>>;
  /** A channel with all users. */
  readonly stream_id: number;
  readonly message_id: number;
}

export async function openSecretServer(): Promise<SecretServer> {
  const testServer = await startTestServer();
  const nia = await testServer.realm.write((tx) => {
    tx.next("channels", CHANNELS_FROM);
    tx.next("messages", MESSAGES_FROM);
    tx.next("users", PEOPLE_FROM);
    tx.next("keys", KEYS_FROM);
    const realm = tx.realm.get(1)!;
    const can_access_all_users_group = tx.groups.findBy("name", "role:members")!.id;
    tx.realm.put({ ...realm, settings: { ...realm.settings, can_access_all_users_group } });
    const newMember = { email: "nia@example.com", full_name: "Nia", role: 400 };
    return createUser(tx, newMember).user_id;
  });
  const stream_id = await channelOf(testServer, "garden", ["cy", "bot", "gus", "olga"], false);
  const message_id = await postIn(testServer, "cy", stream_id);
  const cellar = await channelOf(testServer, "cellar", ["ada", "mo"], true);
  const inCellar = await postIn(testServer, "ada", cellar);
  const direct = { type: "direct", to: [testServer.idOf("mo")], content: "between us" };
  const { id: between } = await testServer.request("ada", "POST /messages", direct);
  const early = await firstMessageId(testServer);
  const { queue_id } = await testServer.request("ada", "POST /register");
  const channel = { hidden: cellar, absent: CHANNELS_FROM + ABSENT_ID };
  const person = { hidden: nia, absent: PEOPLE_FROM + ABSENT_ID };
  const email = { hidden: "nia@example.com", absent: "noa@example.com" };
  const messages = [inCellar, between, early].map(messageIdPair);
  const owned = { message_id: messages, ...(await privateObjectsOf(testServer)) };

  const olga: SecretObjects = {
    messages,
    queue: { hidden: queue_id, absent: crypto.randomUUID() },
    inPaths: owned,
  };
  const cy: SecretObjects = {
    ...olga,
    channel,
    channelName: { hidden: "cellar", absent: "garret" },
    inPaths: { ...owned, stream_id: [channel], invite_id: [await invitationOf(testServer)] },
  };
  const people = { user_id: [person], muted_user_id: [person], email: [email] };
  const inPaths = { ...cy.inPaths, ...people, user_id_or_email: [person, email] };
  const gus = { ...cy, person, email, inPaths };
  return { testServer, secretsOf: { cy, bot: cy, gus, olga }, stream_id, message_id };
}

/** Kinds of objects that are hidden from nobody. */
const PUBLIC_OBJECTS = Object.fromEntries(
  [
    ...["bot_id", "channel_folder_id", "filter_id", "playground_id", "field_id", "group_id"],
    ...["export_id", "user_group_id", "domain", "subdomain", "emoji_name", "realm_id"],
  ].map((placeholder) => [placeholder, []]),
);

/** Objects that only their owner may know of. */
async function privateObjectsOf(
  testServer: TestServer,
): Promise<Record<string, HiddenAndAbsent<unknown>[]>> {
  const key_id = testServer.realm.read.api_keys.listBy("user", testServer.idOf("ada"))[0]!.key_id;
  const drafts = [{ type: "", to: [], topic: "", content: "x" }];
  const { ids } = await testServer.request("ada", "POST /drafts", { drafts });
  const { saved_snippet_id } = await testServer.request("ada", "POST /saved_snippets", {
    ...{ title: "x", content: "x" },
  });
  await testServer.request("ada", "POST /navigation_views", {
    ...{ fragment: "narrow/hidden", is_pinned: true, name: "x" },
  });
  const schedule = { content: "x", scheduled_delivery_timestamp: 4_000_000_000 };
  const toSelf = { type: "direct", to: [testServer.idOf("ada")], ...schedule };
  const scheduled = await testServer.request("ada", "POST /scheduled_messages", toSelf);
  const { id: message_id } = await testServer.request("ada", "POST /messages", toSelf);
  const reminder = await testServer.request("ada", "POST /reminders", { ...schedule, message_id });
  await upload(testServer, "ada", { name: "x.txt", bytes: "x" });
  const [attachment] = (await testServer.request("ada", "GET /attachments")).attachments;
  const ntfy = { topic_url: `${UNREACHABLE_URL}/topic` };
  const subscribed = await testServer.request(
    "ada",
    "POST /users/me/push_subscriptions/ntfy",
    ntfy,
  );
  const withAbsentId = (hidden: number) => [{ hidden, absent: hidden + ABSENT_ID }];
  return {
    key_id: withAbsentId(key_id),
    attachment_id: withAbsentId(attachment.id),
    draft_id: withAbsentId(ids[0]),
    saved_snippet_id: withAbsentId(saved_snippet_id),
    scheduled_message_id: withAbsentId(scheduled.scheduled_message_id),
    reminder_id: withAbsentId(reminder.reminder_id),
    push_subscription_id: withAbsentId(subscribed.push_subscription_id),
    fragment: [{ hidden: "narrow/hidden", absent: "narrow/absent" }],
    ...PUBLIC_OBJECTS,
  };
}

const messageIdPair = (hidden: number) => ({ hidden, absent: MESSAGES_FROM + ABSENT_ID });

/** Administrators see every invitation, others their own. */
async function invitationOf(testServer: TestServer): Promise<HiddenAndAbsent<number>> {
  await testServer.request("ada", "POST /invites", {
    invitee_emails: "ned@example.com",
    stream_ids: [],
  });
  const { invites } = await testServer.request("ada", "GET /invites");
  return { hidden: invites[0].id, absent: invites[0].id + ABSENT_ID };
}

async function channelOf(
  testServer: TestServer,
  name: string,
  names: Name[],
  invite_only: boolean,
) {
  const subscribers = names.map((person) => testServer.idOf(person));
  const params = { name, subscribers, invite_only, history_public_to_subscribers: !invite_only };
  return (await testServer.request("ada", "POST /channels/create", params)).id as number;
}

async function postIn(testServer: TestServer, name: Name, stream_id: number): Promise<number> {
  const message: Json = { type: "stream", to: stream_id, topic: "roses", content: "quietly" };
  return (await testServer.request(name, "POST /messages", message)).id;
}

/** Returns a message sent to a channel with protected history before the callers joined. */
async function firstMessageId(testServer: TestServer): Promise<number> {
  const stream_id = await channelOf(testServer, "vault", ["ada"], true);
  const id = await postIn(testServer, "ada", stream_id);
  const principals = REQUESTERS.map((name) => testServer.idOf(name));
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "vault" }],
    principals,
  });
  return id;
}
