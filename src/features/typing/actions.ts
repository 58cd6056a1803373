// Sends typing notifications to the other users of a conversation.
import { Type } from "typebox";
import { recipientIdInvalid } from "../../contract/errors/messages.ts";
import {
  typingChannelMissing,
  typingOffInChannels,
  typingOffInDirects,
  typingToEmpty,
  typingToMissing,
  typingTopicMissing,
} from "../../contract/errors/people.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { defaulted, endpoint, int, json, oneOf, optional, text } from "../../endpoint.ts";
import type { Reader, Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { accessContent } from "../channels/access.ts";
import { subscriberCount, subscriberIds } from "../channels/wire.ts";
import { checkCanPost } from "../messages/send/can-send.ts";
import { topicName } from "../messages/topic.ts";
import { canSeeUser } from "../people/access.ts";
import { emailOf } from "../people/wire.ts";
import { userSetting } from "../settings/rules.ts";
import { TYPING_SUBSCRIBERS_MAX } from "./rules.ts";

const PEOPLE_MAX = 1_000;

export type TypingOperation = "start" | "stop";

export function typeToPeople(
  realm: Realm,
  user: User,
  op: TypingOperation,
  to: readonly number[],
): void {
  const { read } = realm;
  if (to.length === 0) throw typingToEmpty();
  if (!userSetting(user, "send_private_typing_notifications")) throw typingOffInDirects();
  const others = to.filter((user_id) => user_id !== user.user_id);
  const people = [user, ...others.map((user_id) => accessRecipient(read, user, user_id))];

  const addresses = people.map((person) => addressOf(read, person));
  const recipients = Array.from(new Map(addresses.map((a) => [a.user_id, a])).values());
  recipients.sort((a, b) => a.user_id - b.user_id);
  const sender = addressOf(read, user);
  realm.emitEphemeral(
    { type: "typing", op, message_type: "direct", sender, recipients },
    { to: "people", user_ids: listeners(read, user, people) },
  );
}

export function typeToTopic(
  realm: Realm,
  user: User,
  op: TypingOperation,
  stream_id: number,
  topic: string,
): void {
  const { read } = realm;
  if (!userSetting(user, "send_stream_typing_notifications")) throw typingOffInChannels();
  const channel = accessContent(read, user, stream_id);
  checkCanPost(read, user, channel);

  if (subscriberCount(read, stream_id) > TYPING_SUBSCRIBERS_MAX) return;
  const people = subscriberIds(read, stream_id).map((user_id) => read.users.get(user_id)!);
  realm.emitEphemeral(
    {
      type: "typing",
      op,
      message_type: "stream",
      sender: addressOf(read, user),
      stream_id,
      topic,
      needs: "stream_typing_notifications",
    },
    { to: "people", user_ids: listeners(read, user, people) },
  );
}

function accessRecipient(reader: Reader, user: User, user_id: number): User {
  const person = reader.users.get(user_id);
  if (!person || !canSeeUser(reader, user, person)) throw recipientIdInvalid(user_id);
  return person;
}

/** Returns the users who want typing events and can see the sender. */
export function listeners(reader: Reader, sender: User, people: readonly User[]): number[] {
  const recipients = people.filter(
    (person) =>
      person.is_active &&
      userSetting(person, "receives_typing_notifications") &&
      canSeeUser(reader, person, sender),
  );
  return [...new Set(recipients.map((person) => person.user_id))];
}

function addressOf(reader: Reader, user: User) {
  return { user_id: user.user_id, email: emailOf(reader, user) };
}

export const setTyping = endpoint({
  summary: "Report that you start or stop typing",
  tag: "Messages",
  params: {
    type: defaulted(oneOf("direct", "stream", "channel"), "direct"),
    op: oneOf("start", "stop"),
    to: optional(json(Type.Array(Type.Integer(), { maxItems: PEOPLE_MAX }))),
    stream_id: optional(int),
    topic: optional(text),
  },
  answer: nothing,
  refuses: ["STREAM_DOES_NOT_EXIST"],
  run: ({ realm, user }, { type, op, to, stream_id, topic }) => {
    if (type === "direct") {
      if (to === undefined) throw typingToMissing();
      typeToPeople(realm, user, op, to);
      return {};
    }
    if (stream_id === undefined) throw typingChannelMissing();
    if (topic === undefined) throw typingTopicMissing();
    typeToTopic(realm, user, op, stream_id, topicName(topic));
    return {};
  },
});
