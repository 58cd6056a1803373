// Read receipts: lists the users who read a message and share read receipts.
import Type from "typebox";
import { yieldToEventLoop } from "../../async/yield.ts";
import { readReceiptsDisabled } from "../../contract/errors/messages.ts";
import { list } from "../../contract/shapes/value-types.ts";
import { endpoint, int } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { accessMessage, hasReceived } from "../messages/access.ts";
import { historicalReaders } from "../messages/sets/audience.ts";
import { OwnFlagReader } from "../messages/unread/personal-flags.ts";
import { userSetting } from "../settings/rules.ts";

/** Number of users to check before yielding to other requests. */
const SLICE_PEOPLE_MAX = 500;

/** Excludes the sender, and users who have muted the viewer or whom the viewer has muted. */
async function readersOf(reader: Reader, viewer: User, message: Message): Promise<number[]> {
  const hiddenIds = new Set([message.sender_id]);
  for (const mute of reader.muted_users.listBy("muted", viewer.user_id))
    hiddenIds.add(mute.user_id);
  for (const mute of reader.muted_users.listBy("user", viewer.user_id)) {
    hiddenIds.add(mute.muted_user_id);
  }
  const candidates = candidatesOf(reader, message).filter((user_id) => !hiddenIds.has(user_id));
  const readers: number[] = [];
  for (let index = 0; index < candidates.length; index += SLICE_PEOPLE_MAX) {
    if (index > 0) await yieldToEventLoop();
    for (const user_id of candidates.slice(index, index + SLICE_PEOPLE_MAX)) {
      if (isReader(reader, user_id, message)) readers.push(user_id);
    }
  }
  return readers;
}

function isReader(reader: Reader, user_id: number, message: Message): boolean {
  const user = reader.users.get(user_id);
  if (!user?.is_active || !userSetting(user, "send_read_receipts")) return false;
  if (!hasReceived(reader, user, message)) return false;
  return new OwnFlagReader(reader, user_id).isRead(message.id);
}

/** Returns all users who may have the message. */
function candidatesOf(reader: Reader, message: Message): number[] {
  const { id, stream_id, recipient_id, mentioned_user_ids } = message;
  if (stream_id === 0) return reader.conversations.get(recipient_id)?.user_ids ?? [];
  const subscribers = reader.subscriptions.listBy("channel", stream_id).map((sub) => sub.user_id);
  const others = [...historicalReaders(reader, id), ...(mentioned_user_ids ?? [])];
  return [...new Set([...subscribers, ...others])];
}

export const getReadReceipts = endpoint({
  summary: "List who has read a message",
  tag: "Messages",
  params: { message_id: int },
  answer: Type.Object({ user_ids: list(Type.Integer()) }),
  async run({ realm: { read }, user }, { message_id }) {
    const message = accessMessage(read, user, message_id);
    if (!read.settings.enable_read_receipts) throw readReceiptsDisabled();
    return { user_ids: await readersOf(read, user, message) };
  },
});
