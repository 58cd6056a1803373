// Writes tables of users in a Zulip export: accounts and their data.
import type { Reader } from "../../../../realm.ts";
import type { User } from "../../../../schema/records.ts";
import { USER_SETTINGS } from "../../../settings/rules.ts";
import type { Clients } from "./clients.ts";
import type { OutRow } from "./json-file.ts";
import { REALM } from "./organization-tables.ts";
import type { Scope } from "./scope.ts";

export class PeopleTables {
  constructor(
    private readonly reader: Reader,
    private readonly scope: Scope,
    private readonly clients: Clients,
  ) {}

  *users(isPlaceholder: boolean): Iterable<OutRow> {
    for (const user of this.sorted()) {
      if (user.is_system_bot || this.scope.isPlaceholder(user) !== isPlaceholder) continue;
      yield this.userRow(user, isPlaceholder);
    }
  }

  *systemBots(): Iterable<OutRow> {
    for (const { user_id, delivery_email, is_system_bot } of this.sorted()) {
      if (is_system_bot) yield { id: user_id, email: delivery_email, recipient_id: null };
    }
  }

  *services(): Iterable<OutRow> {
    for (const { user_id, service } of this.reader.bots.range()) {
      if (!service) continue;
      const { base_url, interface: kind, token } = service;
      const about = { id: user_id, name: `service of bot ${user_id}`, user_profile: user_id };
      yield { ...about, base_url, interface: kind, token };
    }
  }

  *profileValues(): Iterable<OutRow> {
    let id = 0;
    for (const row of this.reader.profile_values.range()) {
      const { user_id, field_id, value, rendered_value } = row;
      yield { id: ++id, user_profile: user_id, field: field_id, value, rendered_value };
    }
  }

  *userTopics(recipientOf: (stream_id: number) => number): Iterable<OutRow> {
    let id = 0;
    for (const row of this.exportedRows(this.reader.user_topics.range())) {
      const { user_id, stream_id, topic_name, visibility_policy, last_updated } = row;
      if (!this.scope.hasChannel(stream_id)) continue;
      const topic = { user_profile: user_id, stream: stream_id, recipient: recipientOf(stream_id) };
      yield { id: ++id, ...topic, topic_name, visibility_policy, last_updated };
    }
  }

  *mutedUsers(): Iterable<OutRow> {
    let id = 0;
    for (const { user_id, muted_user_id, timestamp } of this.exportedRows(
      this.reader.muted_users.range(),
    )) {
      const mute = { user_profile: user_id, muted_user: muted_user_id };
      yield { id: ++id, ...mute, date_muted: timestamp };
    }
  }

  *alertWords(): Iterable<OutRow> {
    let id = 0;
    for (const { user_id, word } of this.exportedRows(this.reader.alert_words.range())) {
      yield { id: ++id, realm: REALM, user_profile: user_id, word };
    }
  }

  *statuses(): Iterable<OutRow> {
    for (const { user_id, ...status } of this.exportedRows(this.reader.user_statuses.range())) {
      yield { id: user_id, user_profile: user_id, client: 1, status: 0, ...status };
    }
  }

  *snippets(): Iterable<OutRow> {
    for (const row of this.exportedRows(this.reader.saved_snippets.range())) {
      const { user_id, saved_snippet_id: id, title, content, date_created } = row;
      yield { id, realm: REALM, user_profile: user_id, title, content, date_created };
    }
  }

  *navigationViews(): Iterable<OutRow> {
    let id = 0;
    for (const { user_id, views } of this.exportedRows(this.reader.navigation_views.range())) {
      for (const view of views ?? []) yield { id: ++id, user: user_id, ...view };
    }
  }

  /** Includes reminders. */
  *scheduled(recipientOf: (type: string, user_id: number, to: readonly number[]) => number | null) {
    for (const row of this.exportedRows(this.reader.scheduled_messages.range())) {
      const { user_id, type, to, topic } = row;
      const recipient = recipientOf(type, user_id, to);
      if (recipient === null) continue;
      const target = { recipient, stream: type === "stream" ? to[0] : null, subject: topic };
      const sending_client = this.clients.idOf(row.client);
      const fields = { delivery_type: 1, read_by_sender: row.read_by_sender, sending_client };
      yield { id: row.scheduled_message_id, ...delivery(row), ...target, ...fields } as OutRow;
    }
    let id = this.reader.last("scheduled_messages");
    for (const row of this.exportedRows(this.reader.reminders.range())) {
      const { user_id, reminder_target_message_id, note } = row;
      const recipient = recipientOf("private", user_id, [user_id]);
      if (recipient === null) continue;
      const about = { delivery_type: 3, recipient, stream: null, subject: "" };
      const target = { reminder_target_message_id, reminder_note: note };
      yield { id: ++id, ...delivery(row), ...about, ...target } as OutRow;
    }
  }

  private userRow(user: User, isPlaceholder: boolean): OutRow {
    const { user_id: id, full_name, role, is_active, bot_type } = user;
    const isWhole = this.scope.isWhole(id);
    const settings = Object.entries(USER_SETTINGS).map(([name, { default: initial }]) => [
      name,
      (isWhole ? user.settings[name] : undefined) ?? initial,
    ]);
    const email = this.scope.addressOf(user);
    const bot = this.reader.bots.get(id);
    return {
      ...Object.fromEntries(settings),
      ...{ id, email, delivery_email: email, full_name, role, bot_type, realm: REALM },
      is_active: is_active && !isPlaceholder,
      is_mirror_dummy: isPlaceholder,
      is_bot: bot_type !== null,
      bot_owner: user.bot_owner_id,
      date_joined: user.date_joined,
      avatar_source: user.avatar_source,
      avatar_version: user.avatar_version,
      can_create_users: user.can_create_users,
      can_forge_sender: user.can_forge_sender ?? false,
      can_change_user_emails: user.can_change_user_emails ?? false,
      is_deleted: user.is_deleted ?? false,
      default_sending_stream: bot?.default_sending_stream ?? null,
      default_events_register_stream: bot?.default_events_register_stream ?? null,
      default_all_public_streams: bot?.default_all_public_streams ?? false,
      groups: [],
      user_permissions: [],
    };
  }

  private sorted(): User[] {
    return [...this.reader.users.range()].sort((a, b) => a.user_id - b.user_id);
  }

  /** The rows of users whose private data is exported. */
  private *exportedRows<T extends { user_id: number }>(rows: Iterable<T>): Iterable<T> {
    for (const row of rows) if (this.scope.isWhole(row.user_id)) yield row;
  }
}

interface Delivery {
  readonly user_id: number;
  readonly content: string;
  readonly rendered_content: string;
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
}

function delivery(row: Delivery) {
  const { user_id, content, rendered_content, failed } = row;
  const time = { scheduled_timestamp: row.scheduled_delivery_timestamp, delivered: false };
  return {
    sender: user_id,
    realm: REALM,
    sending_client: 1,
    content,
    rendered_content,
    failed,
    ...time,
  };
}
