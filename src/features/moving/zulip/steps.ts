// The order in which a Zulip import writes its data; the numbers are stored.
import type { Item } from "../write-row.ts";
import { keyOfRow, putRow, type Row, type TableName } from "../write-row.ts";

const STEPS = [
  "groups",
  "realm",
  "users",
  "group_members",
  "group_graph",
  "bots",
  "realm_domains",
  "setting_defaults",
  "profile_fields",
  "profile_values",
  "linkifiers",
  "playgrounds",
  "custom_emoji",
  "channel_folders",
  "channels",
  "subscriptions",
  "user_topics",
  "muted_users",
  "alert_words",
  "user_statuses",
  "navigation_views",
  "saved_snippets",
  "attachments",
  "messages",
  "scheduled_messages",
  "reminders",
] as const satisfies TableName[];

type Stage = (typeof STEPS)[number];

/** Group conversations, which exist before their first message. */
export const CONVERSATIONS_STEP = 400;
/** Flags of messages, which have no rows. */
export const FLAGS_STEP = 500;

const ROW_BYTES = 500;

export function stepOf(table: Stage): number {
  return STEPS.indexOf(table) + 1;
}

/** An item whose row is known before it is written. */
export function rowItem(table: Stage, record: object): Item {
  // The table's name determines the type of the row.
  const row = record as Row;
  const row_key = keyOfRow(table, row);
  return {
    step: stepOf(table),
    source_key: row_key.join(" "),
    bytes: ROW_BYTES,
    write: (tx) => ({ table, row_key, checksum: putRow(tx, table, row) }),
  };
}
