// Deletes a message: permissions and time limit.
import { deletingNotAllowed, deletingTooLate } from "../../../contract/errors/messages.ts";
import { nothing } from "../../../contract/shapes/value-types.ts";
import { endpoint, int } from "../../../endpoint.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { accessToChange } from "../access.ts";
import { whyNotDelete } from "../permission-rules.ts";
import { actorOf } from "../send/actor.ts";
import { removeMessages } from "./remove.ts";

function deleteMessage(tx: Writer, user: User, message_id: number): void {
  const message = accessToChange(tx, user, message_id);
  checkCanDelete(tx, user, message, tx.channels.get(message.stream_id));

  removeMessages(tx, [message], user);
}

const REFUSALS = { "not-allowed": deletingNotAllowed, late: deletingTooLate };

function checkCanDelete(
  reader: Reader,
  user: User,
  message: Message,
  channel: Channel | undefined,
): void {
  const isOwn = message.sender_id === user.user_id || isFromOwnBot(reader, user, message);
  const refusal = whyNotDelete(actorOf(reader, user), message, isOwn, channel);
  if (refusal) throw REFUSALS[refusal]();
}

function isFromOwnBot(reader: Reader, { user_id }: User, { sender_id }: Message): boolean {
  return reader.users.get(sender_id)?.bot_owner_id === user_id;
}

export const removeMessage = endpoint({
  summary: "Delete a message",
  tag: "Messages",
  params: { message_id: int },
  answer: nothing,
  async run({ realm, user }, { message_id }) {
    await realm.write((tx) => deleteMessage(tx, user, message_id));
    return {};
  },
});
