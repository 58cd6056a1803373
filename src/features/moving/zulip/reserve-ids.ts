// Reserves ids for later exports of a Zulip server that remains in use.
import type { Reader } from "../../../realm.ts";
import type { SequenceName } from "../../../schema/schema.ts";
import { foldedName } from "../../channels/rules.ts";
import { foldedAddress } from "../../../text/email-address.ts";
import { runOf } from "../import-runs.ts";
import { ZULIP, type ZulipExport } from "./read/source.ts";
import { stepOf } from "./steps.ts";
import type { Survey } from "./survey.ts";

/** Number of ids reserved for rows of later exports, which keep their ids. */
export const SPARE_IDS: Readonly<Partial<Record<SequenceName, number>>> = {
  messages: 1_000_000,
  users: 10_000,
  groups: 10_000,
  recipients: 100_000,
  channels: 10_000,
  attachments: 100_000,
  custom_emoji: 1_000,
  saved_snippets: 10_000,
  scheduled_messages: 10_000,
  reminders: 10_000,
  linkifiers: 1_000,
  playgrounds: 1_000,
  profile_fields: 1_000,
  realm_domains: 1_000,
  channel_folders: 1_000,
};

/** Whether an earlier export of the server was imported, completely or in part. */
export function hasRun(reader: Reader, { source }: ZulipExport): boolean {
  const before = runOf(reader, ZULIP, source);
  return before !== undefined && before.state !== "undone";
}

/** Returns accounts and channels of the export whose ids or addresses are taken on this server. */
export function* collisions(
  reader: Reader,
  { source }: ZulipExport,
  { people, channels }: Survey,
): Iterable<string> {
  const run = runOf(reader, ZULIP, source);
  if (!run || run.state === "undone") return;
  const isNew = (table: "users" | "channels", id: number) =>
    !reader.imported.has(run.import_id, stepOf(table), String(id));
  for (const { user_id, delivery_email, full_name } of people.users.values()) {
    if (!isNew("users", user_id)) continue;
    if (reader.users.has(user_id)) yield `user ${user_id} (${full_name}): ${ID_IN_USE}`;
    if (reader.users.findBy("email", foldedAddress(delivery_email))) {
      yield `user ${user_id} (${full_name}): another account here has this email address`;
    }
  }
  for (const { stream_id, name } of channels.channels.values()) {
    if (!isNew("channels", stream_id)) continue;
    if (reader.channels.has(stream_id)) yield `channel ${stream_id} (${name}): ${ID_IN_USE}`;
    if (reader.channels.findBy("name", foldedName(name))) {
      yield `channel ${stream_id} (${name}): another channel here has this name`;
    }
  }
}

const ID_IN_USE = "its number is in use here";
