// The email address of a channel: none, because there is no email gateway.
import Type from "typebox";
import { botNotFound, insufficientPermission } from "../../../contract/errors/channels.ts";
import { endpoint, int, optional } from "../../../endpoint.ts";
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { checkCanPost } from "../../messages/send/can-send.ts";
import { accessContent } from "../access.ts";

export const getEmailAddress = endpoint({
  summary: "Get the email address of a channel",
  tag: "Channels",
  params: { stream_id: int, sender_id: optional(int) },
  answer: Type.Object({ email: Type.String() }),
  run: ({ realm: { read }, user }, { stream_id, sender_id }) => {
    const channel = accessContent(read, user, stream_id);
    if (sender_id !== undefined) checkCanSendAs(read, user, sender_id);
    checkCanPost(read, user, channel);
    return { email: "" };
  },
});

/** Emails may be posted as the requesting user, or as a bot of theirs. */
function checkCanSendAs(reader: Reader, user: User, sender_id: number): void {
  if (sender_id === user.user_id) return;
  const bot = reader.users.get(sender_id);
  if (!bot || bot.bot_type === null || bot.is_system_bot) throw botNotFound();
  if (bot.bot_owner_id !== user.user_id) throw insufficientPermission();
}
