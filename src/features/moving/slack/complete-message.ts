// Completes messages of older Slack exports, and names senders who are not in the list of users.
import type { SourceMessage } from "../source/records-rules.ts";

const SLACKBOT = "USLACKBOT";

export function complete(message: SourceMessage): SourceMessage {
  const { user, comment, username, files, file, reply_count, replies } = message;
  const { bot_profile, user_profile: profile } = message;
  const named = profile?.display_name || profile?.real_name || profile?.name;
  const name = username || bot_profile?.name || named || (user === SLACKBOT ? "Slackbot" : "");
  const sender = user ?? comment?.user;
  const some = files ?? (file && [file]);
  const count = reply_count ?? replies?.length;
  return {
    ...message,
    ...(name && { username: name }),
    ...(sender !== undefined && { user: sender }),
    ...(some && { files: some }),
    ...(count !== undefined && { reply_count: count }),
  };
}
