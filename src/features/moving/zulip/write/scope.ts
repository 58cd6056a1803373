// Selects the exported data: everything, public data, or also private data of users who consent.
import type { Reader } from "../../../../realm.ts";
import type { Conversation, Message } from "../../../../schema/records-messages.ts";
import type { User } from "../../../../schema/records.ts";
import { isProtected } from "../../../channels/rules.ts";
import { receivedAtSend } from "../../../messages/access.ts";
import { userSetting } from "../../../settings/rules.ts";

export type ExportKind = "public" | "full_with_consent" | "full_without_consent";

const HIDDEN_FROM_ALL = 4;
const HIDDEN_DOMAIN = "hidden.invalid";

export class Scope {
  private readonly consenting = new Set<number>();

  constructor(
    private readonly reader: Reader,
    readonly kind: ExportKind,
  ) {
    if (kind !== "full_with_consent") return;
    const users = [...reader.users.range()];
    const consents = (user: User) => userSetting(user, "allow_private_data_export");
    for (const user of users) if (consents(user)) this.consenting.add(user.user_id);
    for (const { user_id, bot_owner_id } of users) {
      if (bot_owner_id !== null && this.consenting.has(bot_owner_id)) this.consenting.add(user_id);
    }
  }

  /** Whether the user's settings, flags and notes are exported. */
  isWhole(user_id: number): boolean {
    return this.kind === "full_without_consent" || this.consenting.has(user_id);
  }

  /** Whether an account becomes a placeholder. */
  isPlaceholder({ user_id, is_active, is_system_bot }: User): boolean {
    if (this.kind !== "full_with_consent" || is_system_bot) return false;
    return is_active && !this.consenting.has(user_id);
  }

  /** The address of a user, or one that does not exist if the user hides it from everyone. */
  addressOf(user: User): string {
    const { user_id, bot_type, delivery_email } = user;
    const isShown = this.kind === "full_without_consent" || bot_type !== null;
    const isHidden = userSetting(user, "email_address_visibility") === HIDDEN_FROM_ALL;
    return isHidden && !isShown ? `user${user_id}@${HIDDEN_DOMAIN}` : delivery_email;
  }

  has(message: Message): boolean {
    const { kind, reader } = this;
    if (kind === "full_without_consent") return true;
    const channel = reader.channels.get(message.stream_id);
    if (channel && !channel.invite_only) return true;
    if (kind === "public") return false;
    if (!channel) {
      const conversation = reader.conversations.get(message.recipient_id);
      return conversation !== undefined && this.hasConversation(conversation);
    }
    const subs = reader.subscriptions.listBy("channel", channel.stream_id);
    const consenting = subs.filter(({ user_id }) => this.consenting.has(user_id));
    // Users who left the channel can no longer read it, but they received its messages before.
    const areSubscribed = consenting.some(({ active, suspended }) => active || suspended);
    if (areSubscribed && !isProtected(channel)) return true;
    return consenting.some(({ user_id }) => receivedAtSend(reader, user_id, message));
  }

  /** Whether a message of a direct conversation can be exported. */
  hasConversation({ user_ids }: Pick<Conversation, "user_ids">): boolean {
    return user_ids.some((id) => this.isWhole(id));
  }

  hasChannel(stream_id: number): boolean {
    const channel = this.reader.channels.get(stream_id);
    if (this.kind !== "public" || !channel?.invite_only) return channel !== undefined;
    return false;
  }
}
