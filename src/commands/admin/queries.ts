// Queries for operators, who can see everything, including private channels.
import { subscriberCount } from "../../features/channels/wire.ts";
import { foldedName } from "../../features/channels/rules.ts";
import { linkOf } from "../../features/invitations/actions.ts";
import { isOpen } from "../../features/invitations/rules.ts";
import { isDeactivated } from "../../features/realm/access.ts";
import { isBot } from "../../features/rights/rules.ts";
import type { Realm } from "../../realm.ts";
import { CommandError } from "../flags.ts";
import { accountNamed } from "./as-owner.ts";

interface ChannelRow {
  stream_id: number;
  name: string;
  description: string;
  is_private: boolean;
  is_web_public: boolean;
  is_archived: boolean;
  message_retention_days: number | null;
  subscribers: number;
}

interface InvitationRow {
  id: number;
  kind: "email" | "link";
  email: string | null;
  invited_as: number;
  invited_by_user_id: number;
  /** Unix time in seconds; null for never. */
  expiry_date: number | null;
  /** null if the link exists only in an email. */
  link: string | null;
}

export const queryCommands = {
  async showOrganization({ read, config }: Realm, _nothing: object) {
    // Commands that need an organization are rejected before.
    const record = read.realm.get(1)!;
    const people = [...read.users.range()].filter((user) => !user.is_system_bot);
    const active = people.filter((user) => user.is_active && !isBot(user));
    const { realm_uuid, date_created, settings } = record;
    const deactivation = isDeactivated(read) ? read.deactivations.get(1) : undefined;
    return {
      name: settings.name,
      url: config.url,
      uuid: realm_uuid,
      date_created,
      is_deactivated: deactivation !== undefined,
      delete_at: deactivation?.delete_at ?? null,
      people: active.length,
      bots: people.filter((user) => user.is_active && isBot(user)).length,
      channels: [...read.channels.range()].filter((channel) => !channel.is_archived).length,
      newest_message_id: read.last("messages"),
      settings: settings as unknown as Record<string, unknown>,
    };
  },

  async listChannels({ read }: Realm, _nothing: object): Promise<ChannelRow[]> {
    const all = [...read.channels.range()].toSorted((a, b) => a.stream_id - b.stream_id);
    return all.map((channel) => {
      const { stream_id, name, description, invite_only, is_web_public, is_archived } = channel;
      const subscribers = subscriberCount(read, stream_id);
      const { message_retention_days } = channel;
      const facts = { stream_id, name, description, is_private: invite_only, is_web_public };
      return { ...facts, is_archived, message_retention_days, subscribers };
    });
  },

  /** Finds a channel by name or id. */
  async findChannel({ read }: Realm, { channel }: { channel: string }) {
    const channelByName = read.channels.findBy("name", foldedName(channel));
    const match =
      channelByName ?? (/^\d+$/.test(channel) ? read.channels.get(Number(channel)) : undefined);
    if (!match) throw new CommandError(`there is no channel ${channel}. See: skein channel list`);
    return { stream_id: match.stream_id, name: match.name };
  },

  async findUser({ read }: Realm, { email }: { email: string }) {
    const { user_id, delivery_email, is_active } = accountNamed(read, email, true);
    return { user_id, email: delivery_email, is_active };
  },

  /** Pending invitations. Email invitations and links have separate ids. */
  async listInvitations(realm: Realm, _nothing: object): Promise<InvitationRow[]> {
    const { read, config } = realm;
    const open = [...read.invitations.range()].filter((invitation) => isOpen(invitation, read.now));
    return open
      .toSorted((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : a.id - b.id))
      .map((invitation) => {
        const { id, kind, email, invited_as, invited_by_user_id, expiry_date } = invitation;
        const link = kind === "email" && config.mail ? null : linkOf(realm, invitation);
        return { id, kind, email, invited_as, invited_by_user_id, expiry_date, link };
      });
  },
};
