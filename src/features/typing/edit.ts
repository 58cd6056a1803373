// Typing notifications while a message is edited.
import { typingOffInChannels, typingOffInDirects } from "../../contract/errors/people.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int, oneOf } from "../../endpoint.ts";
import type { Reader, Realm } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { subscriberCount, subscriberIds } from "../channels/wire.ts";
import { accessToChange, canReadMessage } from "../messages/access.ts";
import { checkCanEdit } from "../messages/edit/can-edit.ts";
import { subjectOf } from "../messages/spelling-wire.ts";
import { userSetting } from "../settings/rules.ts";
import { listeners, type TypingOperation } from "./actions.ts";
import { TYPING_SUBSCRIBERS_MAX } from "./rules.ts";

function typeOnEdit(realm: Realm, user: User, op: TypingOperation, message_id: number): void {
  const { read } = realm;
  const message = accessToChange(read, user, message_id);
  checkCanEdit(read, user, message, 0);
  if (message.stream_id === 0) {
    if (!userSetting(user, "send_private_typing_notifications")) throw typingOffInDirects();
  } else if (!userSetting(user, "send_stream_typing_notifications")) throw typingOffInChannels();

  const people = otherRecipients(read, message).filter((person) =>
    canReadMessage(read, person, message),
  );
  const fields = { sender_id: user.user_id, message_id, recipient: recipientOf(read, message) };
  realm.emitEphemeral(
    { type: "typing_edit_message", op, ...fields },
    { to: "people", user_ids: listeners(read, user, people) },
  );
}

/** Empty for large channels. */
function otherRecipients(reader: Reader, { stream_id, recipient_id }: Message): User[] {
  const user_ids =
    stream_id === 0
      ? reader.conversations.get(recipient_id)!.user_ids
      : subscriberCount(reader, stream_id) > TYPING_SUBSCRIBERS_MAX
        ? []
        : subscriberIds(reader, stream_id);
  return user_ids.map((user_id) => reader.users.get(user_id)!);
}

function recipientOf(reader: Reader, message: Message) {
  const { stream_id, recipient_id } = message;
  if (stream_id === 0) {
    return { type: "direct", user_ids: reader.conversations.get(recipient_id)!.user_ids };
  }
  return { type: "channel", channel_id: stream_id, topic: subjectOf(reader, message) };
}

export const setTypingOnEdit = endpoint({
  summary: "Report that you start or stop editing a message",
  tag: "Messages",
  params: { message_id: int, op: oneOf("start", "stop") },
  answer: nothing,
  run: ({ realm, user }, { message_id, op }) => {
    typeOnEdit(realm, user, op, message_id);
    return {};
  },
});
