// Completes messages of Slack exports, and names senders who are not in the list of users.
import type { SourceMessage } from "../source/records-rules.ts";

/** Has no bot id, and the list of users does not mark it as a bot. */
export const SLACKBOT = "USLACKBOT";
/** Assumed number of replies if the export does not count them: enough for a separate topic. */
const UNCOUNTED_REPLIES = 2;

/** `botUsers`: ids of users by the ids of their bots. */
export function complete(
  message: SourceMessage,
  botUsers: ReadonlyMap<string, string>,
): SourceMessage {
  const { thread_ts, ...others } = message;
  const { comment, username, files, file, attachments = [] } = message;
  const { bot_id = "", bot_profile, user_profile: profile } = message;
  // A bot can choose another name for each message.
  const user = message.user || comment?.user || (username ? undefined : botUsers.get(bot_id));
  const displayName = profile?.display_name || profile?.real_name || profile?.name;
  const name =
    username || bot_profile?.name || displayName || (user === SLACKBOT ? "Slackbot" : "");
  const own = files ?? (file ? [file] : []);
  // A message that was shared has its files in the attachment.
  const all = [...own, ...attachments.flatMap(({ files: shared = [] }) => shared)];
  const count = repliesOf(message);
  return {
    ...others,
    ...(thread_ts && { thread_ts }),
    ...(name && { username: name }),
    ...(user && { user }),
    ...(all.length > 0 && { files: all }),
    ...(count !== undefined && { reply_count: count }),
  };
}

/** Some programs do not count the replies. Only messages of a thread have a `thread_ts`. */
function repliesOf({ ts, thread_ts, reply_count, replies }: SourceMessage): number | undefined {
  const count = reply_count ?? replies?.length;
  return count ?? (ts !== undefined && thread_ts === ts ? UNCOUNTED_REPLIES : undefined);
}
