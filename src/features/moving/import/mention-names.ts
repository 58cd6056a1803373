// Mentions of users and channels, as far as readers of the message may see their names.
import type { Reader } from "../../../realm.ts";
import type { MentionNames } from "../source/inserted-names.ts";
import type { Conversation } from "../source/workspace.ts";
import { mentionOf } from "./message-links.ts";
import type { ImportedIds } from "./survey.ts";

/** `place`: the conversation of the message. */
export function mentionNamesIn(
  reader: Reader,
  { userIds, channelIds }: ImportedIds,
  { id }: Conversation,
): MentionNames {
  const place = { stream_id: channelIds.get(id) ?? 0, recipient_id: 0 };
  return {
    user(key, label) {
      const user = reader.users.get(userIds.get(key) ?? 0);
      return user ? `@**${user.full_name}|${user.user_id}**` : `@${label ?? key}`;
    },
    channel(key, name) {
      const channel = reader.channels.get(channelIds.get(key) ?? 0);
      return channel ? mentionOf(channel, place) : `#${name ?? key}`;
    },
  };
}
