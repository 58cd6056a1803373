// Undoes an import into an organization that is in use; later data of users is kept.
import { yieldToEventLoop } from "../../async/yield.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { CustomEmoji } from "../../schema/records.ts";
import type { ImportedRow, ImportRun } from "../../schema/records-moving.ts";
import { CHANNEL_REFERENCES, USER_REFERENCES } from "../../schema/references.ts";
import { ascending, idOf } from "../../store/bitmap/bitmap.ts";
import { decodeChunk } from "../../store/bitmap/encodings.ts";
import { ownValue } from "../../text/input/own-value.ts";
import { avatarPaths } from "../avatars/upload.ts";
import { forgetFile } from "../files/actions.ts";
import { discardLater } from "../files/discard.ts";
import { isUsed } from "../files/wire.ts";
import { isNamedBySettings } from "../groups/setting-updates.ts";
import { PLACES } from "../realm/rules.ts";
import { removeMessages } from "../messages/delete/remove.ts";
import { FLAG_MENTIONED, FLAG_MENTIONED_LATER } from "../messages/rules.ts";
import { mergeIndexInSteps } from "../search/jobs.ts";
import { deleteNaming, reactingUsers, reasonFrom } from "./undo-references.ts";
import { checksumOf, type Row, type TableName, tableOf } from "./write-row.ts";
import { type MovingReport, Reporting } from "./report.ts";
import { finishRun } from "./import-runs.ts";

const ROWS_AT_ONCE = 100;
const ARCHIVED_AT_ONCE = 500;

/** Deletes everything that was not changed since the import, newest first, and reports the rest. */
export async function undoRows(realm: Realm, run: ImportRun): Promise<MovingReport> {
  const reporting = new Reporting(run.product, run.path);
  const { import_id } = run;
  reporting.report.import_id = import_id;
  let to: (number | string)[] = [import_id + 1];
  const recipients = new Set<number>();
  let reacting: ReadonlySet<number> | undefined;
  for (;;) {
    const range = { from: [import_id], to, reverse: true, limit: ROWS_AT_ONCE };
    const batch = [...realm.read.imported.range(range)];
    // Undoes one step per transaction, because the next one depends on its rows.
    const marks = batch.filter(({ step }) => step === batch[0]!.step);
    const last = marks.at(-1);
    if (!last) break;
    to = [import_id, last.step, last.source_key];
    // All messages that the undo deletes are gone before it comes to the users.
    if (marks.some(({ table }) => table === "users")) reacting ??= await reactingUsers(realm);
    const undone = { recipients, reacting: reacting ?? new Set() };
    const leftRows = await realm.writeStep((tx) => undoBatch(tx, marks, undone));
    for (const [mark, reason] of leftRows)
      reporting.fault(`${mark.table} ${mark.source_key}: ${reason}`);
    const leftMarks = new Set(leftRows.map(([mark]) => mark));
    for (const mark of marks) if (!leftMarks.has(mark)) reporting.countWritten(mark.table);
    await mergeIndexInSteps(realm);
  }
  await removeEmptyConversations(realm, [...recipients]);
  await finishRun(realm, import_id, reporting.hasFaults ? "done" : "undone");
  return reporting.end("undone");
}

type RetainedRow = [mark: ImportedRow, why: string];

interface Undone {
  /** Direct conversations of deleted messages. */
  readonly recipients: Set<number>;
  /** Users who reacted to the remaining messages. */
  readonly reacting: ReadonlySet<number>;
}

function undoBatch(
  tx: Writer,
  marks: readonly ImportedRow[],
  { recipients, reacting }: Undone,
): RetainedRow[] {
  const leftRows: RetainedRow[] = [];
  const messages: Message[] = [];
  for (const mark of marks) {
    const { table, row_key } = mark;
    const isRow = Object.hasOwn(TABLES, table);
    const row = isRow ? tableOf(tx, table as TableName).get(...row_key) : undefined;
    const reason = row && reasonToKeep(tx, mark, row, reacting);
    if (reason) leftRows.push([mark, reason]);
    else {
      tx.imported.delete(mark.import_id, mark.step, mark.source_key);
      if (!row) continue;
      // The table's name determines the type of the row.
      if (table === "messages") messages.push(row as unknown as Message);
      else ownValue(TABLES, table)!.remove(tx, row);
    }
  }
  for (const { stream_id, recipient_id } of messages) {
    if (stream_id === 0) recipients.add(recipient_id);
  }
  const places = Map.groupBy(messages, ({ stream_id, recipient_id }) => stream_id || -recipient_id);
  for (const group of places.values()) removeMessages(tx, group, null);
  // Deleted messages can be restored for a while; imported messages must not be.
  for (const { id } of messages) tx.archive.delete(id);
  return leftRows;
}

/** Deleted messages that users can restore keep their conversation. */
async function removeEmptyConversations(
  realm: Realm,
  recipient_ids: readonly number[],
): Promise<void> {
  if (recipient_ids.length === 0) return;
  const since = realm.read.now;
  const kept = await archivedRecipients(realm);
  for (let from = 0; from < recipient_ids.length; from += ROWS_AT_ONCE) {
    await realm.writeStep((tx) => {
      const deletedSince = tx.archive.scanIndex("deleted", [], { from: [since] });
      for (const { message } of deletedSince) kept.add(message.recipient_id);
      for (const recipient_id of recipient_ids.slice(from, from + ROWS_AT_ONCE)) {
        const [chunk] = tx.conversation_messages.chunks([recipient_id]);
        if (chunk !== undefined || kept.has(recipient_id)) continue;
        if (tx.conversations.has(recipient_id)) tx.conversations.delete(recipient_id);
      }
    });
  }
}

/** Reads the archive of deleted messages in parts, because it may be large. */
async function archivedRecipients({ read }: Realm): Promise<Set<number>> {
  const recipients = new Set<number>();
  for (let from = 0; ;) {
    const rows = [...read.archive.range({ from: [from], limit: ARCHIVED_AT_ONCE })];
    for (const { message } of rows) recipients.add(message.recipient_id);
    if (rows.length < ARCHIVED_AT_ONCE) return recipients;
    from = rows.at(-1)!.message_id + 1;
    await yieldToEventLoop();
  }
}

function reasonToKeep(
  tx: Writer,
  { table, checksum }: ImportedRow,
  row: Row,
  reacting: ReadonlySet<number>,
): string | undefined {
  if (checksumOf(table, row) !== checksum) return "it was changed since the import";
  return ownValue(TABLES, table)!.why(tx, row, reacting);
}

interface UndoStep {
  /** Why a row must be kept. */
  why(tx: Writer, row: Row, reacting: ReadonlySet<number>): string | undefined;
  remove(tx: Writer, row: Row): void;
}

const TABLES: Readonly<Record<string, UndoStep>> = {
  messages: { why: () => undefined, remove: () => {} },
  attachments: {
    why: (tx, row) =>
      isUsed(tx, Number(row["id"])) ? "a message or a topic note links to it" : undefined,
    // The fields are those of its record.
    remove: (tx, row) => forgetFile(tx, row as unknown as Parameters<typeof forgetFile>[1]),
  },
  passwords: {
    why: () => undefined,
    remove: (tx, row) => tx.passwords.delete(Number(row["user_id"])),
  },
  // Remaining messages may have it as a reaction.
  custom_emoji: {
    why: () => undefined,
    remove: (tx, row) =>
      tx.custom_emoji.put({ ...(row as unknown as CustomEmoji), deactivated: true }),
  },
  channel_folders: {
    why: (tx, row) => {
      const isUsed = [...tx.channels.range()].some(({ folder_id }) => folder_id === row["id"]);
      return isUsed ? "it contains a channel" : undefined;
    },
    remove: (tx, row) => tx.channel_folders.delete(Number(row["id"])),
  },
  channels: { why: reasonToKeepChannel, remove: removeChannel },
  users: { why: reasonToKeepUser, remove: removeUser },
};

function reasonToKeepChannel(tx: Writer, row: Row): string | undefined {
  const stream_id = Number(row["stream_id"]);
  const [chunk] = tx.channel_messages.chunks([stream_id]);
  if (chunk !== undefined) return "it has messages that were kept or are newer";
  if (PLACES.some((name) => tx.settings[name] === stream_id)) return "a setting names it";
  return reasonFrom(tx, CHANNEL_REFERENCES, stream_id);
}

function removeChannel(tx: Writer, row: Row): void {
  const stream_id = Number(row["stream_id"]);
  deleteNaming(tx, CHANNEL_REFERENCES, stream_id);
  tx.channels.delete(stream_id);
}

function reasonToKeepUser(tx: Writer, row: Row, reacting: ReadonlySet<number>): string | undefined {
  const user_id = Number(row["user_id"]);
  const [messageChunk] = tx.sender_messages.chunks([user_id]);
  if (messageChunk !== undefined) return "the account has messages that were kept or are newer";
  if (reacting.has(user_id)) return "the account reacted to a message that was kept";
  if (isNamedBySettings(tx, user_id)) return "a permission names the account";
  const reason = reasonFrom(tx, USER_REFERENCES, user_id);
  if (reason !== undefined) return reason;
  for (const flag of [FLAG_MENTIONED, FLAG_MENTIONED_LATER]) {
    for (const chunk of tx.flags.chunks([user_id, flag])) {
      if (hasMessage(tx, user_id, flag, chunk)) return "a kept message mentions the account";
    }
  }
  for (const { recipient_id } of [...tx.conversations.scanIndex("recent", [user_id])]) {
    const [chunk] = tx.conversation_messages.chunks([recipient_id]);
    if (chunk !== undefined) return "the account has a direct conversation that was kept";
  }
  return undefined;
}

function hasMessage(tx: Writer, user_id: number, flag: number, chunk: number): boolean {
  const bytes = tx.flags.chunk([user_id, flag], chunk);
  const ids = ascending(decodeChunk(bytes), idOf(chunk, 0));
  return ids.some((id) => tx.messages.has(id));
}

function removeUser(tx: Writer, row: Row): void {
  const user_id = Number(row["user_id"]);
  for (const { recipient_id } of [...tx.conversations.scanIndex("recent", [user_id])]) {
    tx.conversations.delete(recipient_id);
  }
  deleteNaming(tx, USER_REFERENCES, user_id);
  const { avatar_key } = tx.users.get(user_id)!;
  if (avatar_key) discardLater(tx, avatarPaths(avatar_key));
  tx.users.delete(user_id);
}
