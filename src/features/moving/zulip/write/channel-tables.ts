// Writes tables of channels and conversations in a Zulip export, with their subscriptions.
import type { Reader } from "../../../../realm.ts";
import type { Channel, Subscription } from "../../../../schema/records.ts";
import { setKey } from "../../../../store/set-key.ts";
import { NEUTRAL_COLOR } from "../../../channels/rules.ts";
import { CHANNEL_PERMISSIONS } from "../../../rights/permission-rules.ts";
import type { OutRow } from "./json-file.ts";
import { REALM, type SettingGroups } from "./organization-tables.ts";
import type { Scope } from "./scope.ts";

const CHANNEL_RECIPIENT = 2;
const GROUP_RECIPIENT = 3;
const [CREATED, ACTIVATED, DEACTIVATED] = [301, 302, 303];
const TOPICS = {
  inherit: 1,
  allow_empty_topic: 2,
  disable_empty_topic: 3,
  empty_topic_only: 4,
} as const;

export class ChannelTables {
  constructor(
    private readonly reader: Reader,
    private readonly scope: Scope,
  ) {}

  *channels(groups: SettingGroups): Iterable<OutRow> {
    for (const channel of this.sorted()) yield channelRow(channel, groups);
  }

  *defaults(): Iterable<OutRow> {
    for (const { stream_id, is_default } of this.sorted()) {
      if (is_default) yield { id: stream_id, realm: REALM, stream: stream_id };
    }
  }

  *recipients(): Iterable<OutRow> {
    for (const { recipient_id, stream_id } of this.sorted()) {
      yield { id: recipient_id, type: CHANNEL_RECIPIENT, type_id: stream_id };
    }
    for (const { recipient_id } of this.conversations()) {
      yield { id: recipient_id, type: GROUP_RECIPIENT, type_id: recipient_id };
    }
  }

  *huddles(): Iterable<OutRow> {
    for (const { recipient_id: id, user_ids } of this.conversations()) {
      const hash = new Bun.CryptoHasher("sha1").update(user_ids.join(",")).digest("hex");
      yield { id, recipient: id, huddle_hash: hash, group_size: user_ids.length };
    }
  }

  *subscriptions(): Iterable<OutRow> {
    let id = 0;
    for (const sub of this.reader.subscriptions.range()) {
      const channel = this.reader.channels.get(sub.stream_id);
      if (!channel || !this.scope.hasChannel(sub.stream_id)) continue;
      const isActive = this.reader.users.get(sub.user_id)?.is_active ?? false;
      const subscription = { id: ++id, user_profile: sub.user_id, recipient: channel.recipient_id };
      // A deactivated account keeps its subscriptions for a reactivation.
      const state = { active: sub.active || sub.suspended, is_user_active: isActive };
      yield { ...subscription, ...state, ...this.personal(sub) };
    }
    for (const { recipient_id, user_ids } of this.conversations()) {
      for (const user_id of user_ids) {
        const is_user_active = this.reader.users.get(user_id)?.is_active ?? false;
        const subscription = { id: ++id, user_profile: user_id, recipient: recipient_id };
        yield {
          ...subscription,
          active: true,
          is_user_active,
          is_muted: false,
          color: NEUTRAL_COLOR,
        };
      }
    }
  }

  /** The times of subscriptions, which Zulip stores in its audit log. */
  *auditLog(): Iterable<OutRow> {
    let id = 0;
    for (const { user_id, stream_id, intervals } of this.reader.subscriptions.range()) {
      if (!this.scope.hasChannel(stream_id)) continue;
      for (let index = 0; index < intervals.length; index += 4) {
        const [first = 1, , last = 0] = intervals.slice(index, index + 4);
        const event = (event_type: number, newest: number): OutRow => ({
          ...{ id: ++id, realm: REALM, event_type, event_last_message_id: newest },
          ...{ modified_user: user_id, modified_stream: stream_id, acting_user: null },
          ...{ event_time: this.timeOf(newest), backfilled: true, extra_data: {} },
        });
        yield event(index === 0 ? CREATED : ACTIVATED, first - 1);
        if (last !== 0) yield event(DEACTIVATED, last);
      }
    }
  }

  recipientOf(type: string, user_id: number, to: readonly number[]): number | null {
    if (type === "stream") return this.reader.channels.get(to[0] ?? 0)?.recipient_id ?? null;
    const people = [...new Set([user_id, ...to])].sort((a, b) => a - b);
    return this.reader.conversations.findBy("people", setKey(people))?.recipient_id ?? null;
  }

  private timeOf(message_id: number): number {
    const [message] = this.reader.messages.range({
      from: [Math.max(1, message_id)],
      limit: 1,
    });
    return message?.timestamp ?? this.reader.realm.get(REALM)!.date_created;
  }

  private personal(sub: Subscription): OutRow {
    if (!this.scope.isWhole(sub.user_id)) return { is_muted: false, color: NEUTRAL_COLOR };
    const { is_muted, color, pin_to_top, wildcard_mentions_notify } = sub;
    const { desktop_notifications, audible_notifications } = sub;
    const { push_notifications, email_notifications } = sub;
    return {
      ...{ is_muted, color, pin_to_top, wildcard_mentions_notify, desktop_notifications },
      ...{ audible_notifications, push_notifications, email_notifications },
    };
  }

  private *conversations() {
    if (this.scope.kind === "public") return;
    for (const conversation of this.reader.conversations.range()) {
      if (this.scope.hasConversation(conversation)) yield conversation;
    }
  }

  private sorted(): Channel[] {
    const all = [...this.reader.channels.range()].sort((a, b) => a.stream_id - b.stream_id);
    return all.filter(({ stream_id }) => this.scope.hasChannel(stream_id));
  }
}

function channelRow(channel: Channel, groups: SettingGroups): OutRow {
  const permissions = Object.keys(CHANNEL_PERMISSIONS).map((name) => [
    name,
    groups.idOf(channel[name as keyof typeof CHANNEL_PERMISSIONS]),
  ]);
  const { name, description, rendered_description, date_created, invite_only } = channel;
  return {
    ...{ id: channel.stream_id, realm: REALM, name, description, rendered_description },
    ...{ date_created, creator: channel.creator_id, deactivated: channel.is_archived },
    ...{ invite_only, is_web_public: channel.is_web_public, folder: channel.folder_id },
    history_public_to_subscribers: channel.history_public_to_subscribers,
    message_retention_days: channel.message_retention_days,
    first_message_id: channel.first_message_id,
    is_recently_active: channel.is_recently_active,
    topics_policy: TOPICS[channel.topics_policy],
    ...Object.fromEntries(permissions),
  };
}
