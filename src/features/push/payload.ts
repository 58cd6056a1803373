// The content of a push: Skein's JSON for browsers and apps, or ntfy's format.
import { ownValue } from "../../text/input/own-value.ts";
import type { Realm } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { PushSubscription } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { excerptFor, nameFor, locationOf } from "../notifications/message-context.ts";
import type { Trigger } from "../notifications/trigger.ts";
import { userSetting } from "../settings/rules.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import type { Word } from "../i18n/translations.ts";
import { cutToBytes, PUSH_BODY_BYTES_MAX, PUSH_TITLE_BYTES_MAX } from "./queue/rules.ts";

/** A subscription as its own user's clients see it. */
export function subscriptionObject(row: PushSubscription, user: User) {
  const { push_id: id, kind, endpoint, name, with_content, with_removals } = row;
  const { registered } = row;
  const failure = row.failure && { ...row.failure, reason: reasonFor(user, row.failure.reason) };
  return { id, kind, endpoint, name, with_content, with_removals, registered, failure };
}

const REASONS: Readonly<Record<string, Word>> = {
  "the subscription no longer exists": "push-gone",
  "it is overloaded or unavailable": "push-busy",
  "it does not allow this server to push": "push-barred",
  "it rejected the push": "push-refused",
  "it did not respond in time": "push-late",
  "connections to its address are not allowed": "push-not-called",
  "the connection failed": "push-unreached",
};

/** Why a push did not arrive, in the user's language. */
export function reasonFor(user: User, reason: string): string {
  const [, text = "", status = ""] = /^([^(]*?)( \(\d+\))?$/.exec(reason) ?? [];
  const word = ownValue(REASONS, text);
  return word === undefined ? reason : userTranslator(user).translate(word) + status;
}

interface PushContent {
  title: string;
  body: string;
  url: string;
}

/** The push for a message at this subscription. */
export function pushContentOf(
  realm: Realm,
  row: PushSubscription,
  user: User,
  message: Message,
): PushContent {
  const { name } = realm.read.settings;
  const { translate } = userTranslator(user);
  if (!showsConversation(realm, row)) {
    return { title: name, body: translate("mail-have-new", { count: 1 }), url: realm.config.url };
  }
  const { title, path } = locationOf(realm, user, message);
  const sender = nameFor(realm, user, message.sender_id);
  const isPair = message.stream_id === 0 && peopleIn(realm, message) <= 2;
  const text = wordsOf(realm, user, message);
  return {
    title: cutToBytes(isPair ? sender : title, PUSH_TITLE_BYTES_MAX),
    body: cutToBytes(isPair ? text : `${sender}: ${text}`, PUSH_BODY_BYTES_MAX),
    url: realm.config.url + path,
  };
}

/**
 * Whether the push contains the text, names and conversation. The ntfy server can read its pushes,
 * so they follow the organization's settings for emails and unencrypted pushes.
 */
function showsConversation({ read }: Realm, { kind, with_content }: PushSubscription): boolean {
  if (!with_content) return false;
  const { message_content_allowed_in_email_notifications: isAllowed } = read.settings;
  return kind === "web" || (isAllowed && !read.settings.require_e2ee_push_notifications);
}

function wordsOf(realm: Realm, user: User, message: Message): string {
  const isDirect = message.stream_id === 0;
  const { translate } = userTranslator(user);
  if (isDirect && !userSetting(user, "pm_content_in_desktop_notifications")) {
    return translate("push-hidden");
  }
  const { text } = excerptFor(realm, user, message, false);
  return text.trim() || translate("push-no-text");
}

function peopleIn({ read }: Realm, { recipient_id }: Message): number {
  return read.conversations.get(recipient_id)!.user_ids.length;
}

/** The tag that identifies a displayed notification. */
export const tagOf = (message_id: number) => `m${message_id}`;

export function messagePayload(
  { read, config }: Realm,
  { user_id, message_id, trigger, content: pushContent }: PayloadOptions,
  withdrawn: readonly number[],
): string {
  const { timestamp } = read.messages.get(message_id)!;
  const from = { realm_url: config.url, realm_name: read.settings.name, user_id };
  const messageFields = { message_id, timestamp, reason: trigger, tag: tagOf(message_id) };
  const removed = withdrawn.length > 0 && { withdrawn_message_ids: withdrawn };
  return JSON.stringify({ type: "message", ...from, ...messageFields, ...pushContent, ...removed });
}

export interface PayloadOptions {
  user_id: number;
  message_id: number;
  trigger: Trigger;
  content: PushContent;
}

export function removalPayload({ config }: Realm, user_id: number, ids: readonly number[]): string {
  const tags = ids.map(tagOf);
  return JSON.stringify({
    type: "remove",
    realm_url: config.url,
    user_id,
    message_ids: ids,
    tags,
  });
}

export function testContent({ read, config }: Realm, user_id: number): PushContent {
  const body = userTranslator(read.users.get(user_id)!).translate("push-test");
  return { title: read.settings.name, body, url: config.url };
}

export function testPayload(realm: Realm, user_id: number): string {
  const { read, config } = realm;
  const from = { realm_url: config.url, realm_name: read.settings.name, user_id };
  return JSON.stringify({ type: "test", ...from, tag: "test", ...testContent(realm, user_id) });
}

/** Whether the user is addressed directly, and not as part of everyone. */
export const isPersonal = (trigger: Trigger) =>
  trigger === "direct" || trigger === "mention" || trigger === "group";

const NTFY_HIGH = 4;
const NTFY_DEFAULT = 3;

export function ntfyMessage(
  topic: string,
  { title, body, url }: PushContent,
  context?: PayloadOptions,
) {
  const form = { topic, title, message: body, click: url };
  if (!context) return { ...form, tags: ["white_check_mark"] };
  const { trigger, message_id } = context;
  const priority = isPersonal(trigger) ? NTFY_HIGH : NTFY_DEFAULT;
  return { ...form, priority, tags: [SYMBOLS[trigger]], sequence_id: tagOf(message_id) };
}

/** Short names of emoji, which ntfy shows before the title. */
const SYMBOLS: Readonly<Record<Trigger, string>> = {
  direct: "envelope",
  mention: "bell",
  group: "bell",
  word: "bell",
  wildcard: "loudspeaker",
  followed: "speech_balloon",
  channel: "speech_balloon",
};
