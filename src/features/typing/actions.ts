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
import { emailOf, placeholder } from "../people/wire.ts";
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

  const recipients = [...new Map(people.map((person) => [person.user_id, person])).values()];
  recipients.sort((a, b) => a.user_id - b.user_id);
  const sender = addressOf(read, user);
  for (const { hiddenIds, user_ids } of audiencesOf(read, user, recipients)) {
    const shownRecipients = recipients.map((person) =>
      hiddenIds.has(person.user_id) ? hiddenAddressOf(read, person) : addressOf(read, person),
    );
    realm.emitEphemeral(
      { type: "typing", op, message_type: "direct", sender, recipients: shownRecipients },
      { to: "people", user_ids },
    );
  }
}

interface TypingAudience {
  hiddenIds: ReadonlySet<number>;
  user_ids: number[];
}

/** Groups the users who receive the event by the recipients who are hidden from them. */
function audiencesOf(
  reader: Reader,
  sender: User,
  recipients: readonly User[],
): Iterable<TypingAudience> {
  const audiences = new Map<string, TypingAudience>();
  for (const user_id of listeners(reader, sender, recipients)) {
    const viewer = reader.users.get(user_id)!;
    const hidden = recipients.filter((person) => !canSeeUser(reader, viewer, person));
    const hiddenIds = hidden.map((person) => person.user_id);
    const audience = audiences.get(hiddenIds.join());
    if (audience) audience.user_ids.push(user_id);
    else audiences.set(hiddenIds.join(), { hiddenIds: new Set(hiddenIds), user_ids: [user_id] });
  }
  return audiences.values();
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

function hiddenAddressOf(reader: Reader, { user_id }: User) {
  return { user_id, email: placeholder(reader, user_id).email };
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
