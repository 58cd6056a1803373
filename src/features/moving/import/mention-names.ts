// Mentions of users and channels, as far as readers of the message may see their names.
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import type { MentionNames } from "../source/inserted-names.ts";
import type { Conversation } from "../source/workspace.ts";
import { channelMention } from "./message-links.ts";
import type { ImportedIds } from "./survey.ts";

/** `place`: the conversation of the message. */
export function mentionNamesIn(
  reader: Reader,
  { userIds, channelIds }: ImportedIds,
  { id }: Conversation,
): MentionNames {
  const place = { stream_id: channelIds.get(id) ?? 0, recipient_id: 0 };
  return {
    user(key, label, isInTable) {
      const user = reader.users.get(userIds.get(key) ?? 0);
      return user ? userMention(reader, user, isInTable) : `@${label ?? key}`;
    },
    channel(key, name) {
      const channel = reader.channels.get(channelIds.get(key) ?? 0);
      return channel ? channelMention(channel, place) : `#${name ?? key}`;
    },
  };
}

const WILDCARDS: ReadonlySet<string> = new Set(["all", "everyone", "channel", "stream", "topic"]);

/**
 * A Markdown mention of a user. In a table, the pipe before the id would end the cell, so it is a
 * mention only if no other user has the name.
 */
function userMention(reader: Reader, { full_name, user_id }: User, isInTable = false): string {
  if (!isInTable) return `@**${full_name}|${user_id}**`;
  const name = full_name.toLowerCase();
  const isUnique = reader.users.listBy("name", name).length === 1 && !WILDCARDS.has(name);
  return isUnique ? `@**${full_name}**` : `@${full_name}`;
}
