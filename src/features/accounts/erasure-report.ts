// Counts the data that erasing an account removes, and the data that remains, with reasons.
import type { KeyPart } from "../../store/declare.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { ConversationFilter } from "../messages/delete/by-sender.ts";
import { COST, idsFrom, StoredSet } from "../messages/sets/sets.ts";

interface DataCount {
  readonly what: string;
  readonly count: number;
}

export interface Erasure {
  readonly removed: readonly DataCount[];
  readonly kept: readonly (DataCount & { readonly why: string })[];
}

const MESSAGES_AT_ONCE = 1_000;
const AUDIT_ENTRIES = "entries in the audit log";
const REASON_TO_KEEP_MESSAGES = "conversations of others contain them; --messages deletes them";

/** Rows that only the user could read, by table; each key begins with the user's id. */
const PRIVATE_ROWS = {
  drafts: "drafts",
  saved_snippets: "saved snippets",
  scheduled_messages: "scheduled messages",
  reminders: "reminders",
  alert_words: "alert words",
  navigation_views: "sidebar views",
} as const;
type PrivateTable = keyof typeof PRIVATE_ROWS;
// The keys are those of `PRIVATE_ROWS`.
const PRIVATE_TABLES = Object.keys(PRIVATE_ROWS) as PrivateTable[];

export function erasureOf(reader: Reader, user_id: number, where: ConversationFilter): Erasure {
  const sentMessages = sentBy(reader, user_id);
  const messages: [name: string, count: number, isRemoved: boolean][] = [
    ["messages in public channels", sentMessages.in_public, where.in_public],
    ["messages in private channels", sentMessages.in_private, where.in_private],
    ["direct messages", sentMessages.direct, where.direct],
  ];
  const removedCounts: DataCount[] = [
    { what: "name, email address, avatar, status and settings", count: 1 },
    { what: "profile fields", count: reader.profile_values.listBy("user", user_id).length },
    { what: "API keys", count: reader.api_keys.listBy("user", user_id).length },
    { what: "sessions", count: reader.sessions.listBy("user", user_id).length },
    ...PRIVATE_TABLES.map((table) => {
      return { what: PRIVATE_ROWS[table], count: privateKeys(reader, table, user_id).length };
    }),
    ...messages.flatMap(([label, count, isRemoved]) => (isRemoved ? [{ what: label, count }] : [])),
  ];
  const retainedCounts = [
    ...messages.flatMap(([label, count, isRemoved]) =>
      isRemoved ? [] : [{ what: label, count, why: REASON_TO_KEEP_MESSAGES }],
    ),
    {
      what: "uploaded files",
      count: reader.attachments.listBy("owner", user_id).length,
      why: "a file is deleted with the last message that links to it",
    },
    {
      what: "reactions to messages of others",
      count: reactionsOf(reader, user_id),
      why: "they belong to those messages, and show no name",
    },
    {
      what: AUDIT_ENTRIES,
      count: auditEntriesAbout(reader, user_id),
      why: "its chain proves that nothing was changed; names and addresses in it are deleted",
    },
  ];
  const isNonZero = ({ count }: DataCount) => count > 0;
  return { removed: removedCounts.filter(isNonZero), kept: retainedCounts.filter(isNonZero) };
}

/** Counts the entries in the audit log again, because the erasure adds some. */
export function withAuditCount(erasure: Erasure, reader: Reader, user_id: number): Erasure {
  const count = auditEntriesAbout(reader, user_id);
  const kept = erasure.kept.map((row) => (row.what === AUDIT_ENTRIES ? { ...row, count } : row));
  return { ...erasure, kept };
}

/**
 * Returns the audit entries whose names and addresses are deleted. An entry can have two parts with
 * such data.
 */
function auditEntriesAbout(reader: Reader, user_id: number): number {
  const parts = reader.audit_parts.listBy("user", user_id);
  return new Set(parts.map(({ audit_id }) => audit_id)).size;
}

/** Deletes the rows, and the jobs of those that are due later. */
export function erasePrivateRows(tx: Writer, user_id: number): void {
  for (const { job_at, job_id } of [
    ...tx.scheduled_messages.range(own(user_id)),
    ...tx.reminders.range(own(user_id)),
  ]) {
    if (job_at !== null && job_id !== null) tx.due.delete(job_at, job_id);
  }
  for (const table of PRIVATE_TABLES) {
    for (const key of privateKeys(tx, table, user_id)) tx[table].delete(...key);
  }
  for (const { muted_user_id } of tx.muted_users.listBy("user", user_id)) {
    tx.muted_users.delete(user_id, muted_user_id);
  }
}

const own = (user_id: number) => ({ from: [user_id], to: [user_id + 1] });

function privateKeys(reader: Reader, table: PrivateTable, user_id: number): KeyPart[][] {
  switch (table) {
    case "drafts":
      return [...reader.drafts.range(own(user_id))].map((row) => [user_id, row.draft_id]);
    case "saved_snippets":
      return [...reader.saved_snippets.range(own(user_id))].map((row) => {
        return [user_id, row.saved_snippet_id];
      });
    case "scheduled_messages":
      return [...reader.scheduled_messages.range(own(user_id))].map((row) => {
        return [user_id, row.scheduled_message_id];
      });
    case "reminders":
      return [...reader.reminders.range(own(user_id))].map((row) => [user_id, row.reminder_id]);
    case "alert_words":
      return [...reader.alert_words.range(own(user_id))].map((row) => [user_id, row.folded]);
    case "navigation_views":
      return reader.navigation_views.has(user_id) ? [[user_id]] : [];
  }
}

function sentBy(reader: Reader, user_id: number) {
  const counts = { in_public: 0, in_private: 0, direct: 0 };
  const sentMessages = new StoredSet("sender", COST.person, reader.sender_messages, [user_id]);
  for (let from = 1; ;) {
    const ids = idsFrom(sentMessages, from, reader.last("messages"), MESSAGES_AT_ONCE);
    for (const id of ids) {
      const message = reader.messages.get(id);
      if (!message) continue;
      const channel = reader.channels.get(message.stream_id);
      counts[channel ? (channel.invite_only ? "in_private" : "in_public") : "direct"] += 1;
    }
    if (ids.length < MESSAGES_AT_ONCE) return counts;
    from = ids.at(-1)! + 1;
  }
}

function reactionsOf(reader: Reader, user_id: number): number {
  let count = 0;
  const reacted = new StoredSet("reacted", COST.marks, reader.reacted_messages, [0]);
  for (let from = 1; ;) {
    const ids = idsFrom(reacted, from, reader.last("messages"), MESSAGES_AT_ONCE);
    for (const id of ids) {
      const message = reader.messages.get(id);
      if (!message || message.sender_id === user_id) continue;
      count += (message.reactions ?? []).filter((reaction) => reaction.user_id === user_id).length;
    }
    if (ids.length < MESSAGES_AT_ONCE) return count;
    from = ids.at(-1)! + 1;
  }
}
