// Reports of messages to the moderators.
import { explanationRequired, reportsDisabled } from "../../contract/errors/messages.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { defaulted, endpoint, int, oneOf, textOf } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import { fenced } from "../../text/markdown/make-fence.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { Channel, User } from "../../schema/records.ts";
import { silentMention } from "../channels/bot-messages.ts";
import { accessMessage } from "../messages/access.ts";
import { type ComposedMessage, compose } from "../messages/content/compose.ts";
import { insertTruncated, linkTo } from "../messages/content/quoting.ts";
import { notificationBot, sendNoticeToChannel } from "../messages/send/notices.ts";
import { REPORT_LENGTH_MAX, REPORT_TYPES, type ReportType } from "./rules.ts";

/** `composed`: the content of the report. */
function reportMessage(
  tx: Writer,
  user: User,
  message_id: number,
  composed: ComposedMessage,
): void {
  const channel = moderationChannel(tx);
  const message = accessMessage(tx, user, message_id);

  const { full_name } = tx.users.get(message.sender_id)!;
  sendNoticeToChannel(tx, channel, `${full_name}'s moderation requests`, composed);
}

export const postReport = endpoint({
  summary: "Report a message to the moderators",
  tag: "Messages",
  params: {
    message_id: int,
    report_type: oneOf(...(Object.keys(REPORT_TYPES) as ReportType[])),
    description: defaulted(textOf({ max: REPORT_LENGTH_MAX, trimmed: true }), ""),
  },
  answer: nothing,
  async run({ realm, user }, { message_id, report_type, description }) {
    moderationChannel(realm.read);
    if (report_type === "other" && description === "") throw explanationRequired();
    const message = accessMessage(realm.read, user, message_id);
    const text = wordsOf(realm.read, user, message, report_type, description);
    const composed = compose(realm.read, notificationBot(realm.read), text);
    await realm.write((tx) => reportMessage(tx, user, message_id, composed));
    return {};
  },
});

function moderationChannel(reader: Reader): Channel {
  const channel = reader.channels.get(reader.settings.moderation_request_channel_id);
  if (!channel) throw reportsDisabled();
  return channel;
}

/** Quotes the message within a spoiler, so that its mentions notify no one. */
function wordsOf(
  reader: Reader,
  user: User,
  message: Message,
  report_type: ReportType,
  description: string,
): string {
  const author = silentMention(reader.users.get(message.sender_id)!);
  const header = `${silentMention(user)} reported ${linkTo(reader, message)} by ${author}.`;
  const reason = `Reason: **${REPORT_TYPES[report_type]}**`;
  const notes = description === "" ? "" : `\n\nNotes:\n${fenced("quote", description)}`;
  return insertTruncated(
    message.content,
    (content) =>
      `${header}\n\n${reason}${notes}\n\n` +
      fenced("spoiler The message", fenced("quote", content)),
  );
}
