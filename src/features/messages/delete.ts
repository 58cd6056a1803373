// Deleting a message: who may, and for how long.
import { endpoint, int } from "../../endpoint.ts";
import { deletingNotAllowed, deletingTooLate } from "../../errors-messages.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Message } from "../../records-messages.ts";
import type { Channel, User } from "../../records.ts";
import { may, mayInChannel } from "../groups/access.ts";
import { accessToAct } from "./access.ts";
import { removeMessages } from "./remove.ts";

export function deleteMessage(tx: Writer, user: User, message_id: number): void {
  const message = accessToAct(tx, user, message_id);
  checkMayDelete(tx, user, message, tx.channels.get(message.stream_id));

  removeMessages(tx, [message], user);
}

function checkMayDelete(
  reader: Reader,
  user: User,
  message: Message,
  channel: Channel | undefined,
): void {
  const mayHere = (name: "can_delete_any_message_group" | "can_delete_own_message_group") =>
    may(reader, user, name) || (channel !== undefined && mayInChannel(reader, user, channel, name));
  if (mayHere("can_delete_any_message_group")) return;
  const isOwn = message.sender_id === user.user_id || isOfOwnBot(reader, user, message);
  if (!isOwn || !mayHere("can_delete_own_message_group")) throw deletingNotAllowed();
  const limit = reader.settings.message_content_delete_limit_seconds;
  if (limit !== null && reader.now - message.timestamp > limit) throw deletingTooLate();
}

function isOfOwnBot(reader: Reader, { user_id }: User, { sender_id }: Message): boolean {
  return reader.users.get(sender_id)?.bot_owner_id === user_id;
}

export const removeMessage = endpoint({
  params: { message_id: int },
  async run({ realm, user }, { message_id }) {
    await realm.write((tx) => deleteMessage(tx, user, message_id));
    return {};
  },
});
