// Limits for new members who joined without an invitation: messages, conversations and links.
import {
  newMemberConversations,
  newMemberLinks,
  newMemberMessages,
} from "../../../contract/errors/messages.ts";
import { HOUR_SECONDS } from "../../../contract/units.ts";
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { isNewMember, newMemberSetting } from "../../rights/new-member-rules.ts";
import { isBot } from "../../rights/rules.ts";
import { COST, idsBack, StoredSet } from "../sets/sets.ts";

/** Number of the sender's own messages to read to find earlier recipients. */
const LOOKED_AT_MAX = 1000;

const isNew = (reader: Reader, user: User): boolean =>
  isNewMember(user, reader.settings, reader.now);

/** Checks the limits for another message with this content. */
export function checkNewMember(reader: Reader, sender: User, html: string | undefined): void {
  if (!isNew(reader, sender)) return;
  const max = newMemberSetting(reader.settings, "newcomer_messages_per_hour");
  const oldest = max > 0 ? sentBy(reader, sender, max)[max - 1] : 0;
  const since = oldest === undefined ? 0 : (reader.messages.get(oldest)?.timestamp ?? reader.now);
  if (oldest !== undefined && reader.now - since < HOUR_SECONDS) throw newMemberMessages(max);
  checkNewMembersLinks(reader, sender, html);
}

/** Applies to edits too. */
export function checkNewMembersLinks(reader: Reader, sender: User, html = ""): void {
  if (!isNew(reader, sender)) return;
  const max = newMemberSetting(reader.settings, "newcomer_links_per_message");
  const ownUrl = reader.config.url;
  const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, to]) => to!);
  const externalLinks = links.filter((to) => !/^[/#]/.test(to) && !to.startsWith(`${ownUrl}/`));
  if (new Set(externalLinks).size > max) throw newMemberLinks(max);
}

/** Checks the limit for a first message to these users. */
export function checkNewMembersConversation(reader: Reader, sender: User): void {
  if (!isNew(reader, sender)) return;
  const max = newMemberSetting(reader.settings, "newcomer_conversations");
  const newConversations = new Set<number>();
  for (const id of sentBy(reader, sender, LOOKED_AT_MAX)) {
    const { stream_id, recipient_id } = reader.messages.get(id)!;
    if (stream_id === 0 && !isWithBots(reader, sender, recipient_id))
      newConversations.add(recipient_id);
  }
  if (newConversations.size >= max) throw newMemberConversations(max);
}

function isWithBots(reader: Reader, sender: User, recipient_id: number): boolean {
  const user_ids = reader.conversations.get(recipient_id)?.user_ids ?? [];
  return user_ids.every((id) => id === sender.user_id || isBot(reader.users.get(id)!));
}

/** Newest first. */
function sentBy(reader: Reader, { user_id }: User, max: number): number[] {
  const sentMessages = new StoredSet("sender", COST.person, reader.sender_messages, [user_id]);
  return idsBack(sentMessages, 0, reader.last("messages"), max);
}
