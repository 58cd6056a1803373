// Moves damaged rows and files aside and keeps their bytes, so that they cause no more errors.
import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Realm, Writer } from "../../realm.ts";
import { type tables } from "../../schema/schema.ts";
import type { Message } from "../../schema/records-messages.ts";
import { QUARANTINE } from "../../store/erase.ts";
import { syncNow } from "../../store/system/durable.ts";
import type { UnreadableRow } from "../../store/copy/walk.ts";
import { RowDamaged } from "../../store/checksums/checksum.ts";
import { blobsOf } from "../files/blobs.ts";
import { removeMessages } from "../messages/delete/remove.ts";
import { HAS_ATTACHMENT, HAS_IMAGE, HAS_LINK, STREAM_WILDCARD } from "../messages/rules.ts";

/** Tables without other rows that depend on theirs. */
const INDEPENDENT_TABLES: readonly (keyof typeof tables)[] = [
  "archive",
  "drafts",
  "linked_pages",
  "reminders",
  "saved_snippets",
  "scheduled_messages",
  "search_pages",
  "search_parts",
  "search_words",
  "sends",
];

const MESSAGE = /^messages (\d+)$/;
const TABLE_IN_NAME = /^(\w+) [^]*$/;

/** Index rows can be rebuilt from their record. */
export function canBeSetAside({ place: path }: UnreadableRow): boolean {
  const [, table = ""] = TABLE_IN_NAME.exec(path) ?? [];
  if (MESSAGE.test(path)) return true;
  return !path.startsWith(`${table} by `) && INDEPENDENT_TABLES.some((name) => name === table);
}

/** Removes unreadable rows that were found in a copy, if they are still unreadable. */
export async function setRowsAside(realm: Realm, rows: readonly UnreadableRow[]): Promise<void> {
  const removable = rows.filter(canBeSetAside);
  if (removable.length === 0) return;
  keepRows(realm, removable);
  const others: string[] = [];
  for (const { key, place: path } of removable) {
    const [, id] = MESSAGE.exec(path) ?? [];
    if (id === undefined) others.push(key);
    else await realm.write((tx) => dropMessage(tx, Number(id)));
  }
  await realm.repairIndexes({ strays: [], lost: [], unreadable: others });
}

/** Writes a line of JSON for each row, durably before the row is deleted. */
function keepRows(realm: Realm, rows: readonly UnreadableRow[]): void {
  const folder = quarantineFolder(realm);
  const path = join(folder, `rows-${timestampName(realm)}.jsonl`);
  const file = openSync(path, "wx", 0o600);
  try {
    for (const { key, place: path, bytes } of rows) {
      const hexKey = Buffer.from(key, "latin1").toString("hex");
      const base64 = Buffer.from(bytes).toString("base64");
      writeSync(file, `${JSON.stringify({ place: path, key: hexKey, bytes: base64 })}\n`);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncNow(folder);
}

function quarantineFolder({ config }: Realm): string {
  const folder = join(config.data, QUARANTINE);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  syncNow(config.data);
  return folder;
}

function timestampName({ clock }: Realm): string {
  const hexKey = new Date(clock.now()).toISOString().replace(/[-:.]/g, "");
  return `${hexKey}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Removes a message whose row cannot be read. Clients receive a deletion event. */
function dropMessage(tx: Writer, id: number): void {
  if (!isDamaged(tx, id)) return;

  const message = placeholderMessage(tx, id);
  tx.messages.put(message);
  const isPlaced = message.topic_id !== 0 || message.recipient_id !== 0;
  if (isPlaced) removeMessages(tx, [message], null);
  else tx.messages.delete(id);
  // The message's terms are unknown, so the cleanup job looks through the whole search index later.
  tx.search_gone.add([0], id);
  tx.archive.delete(id);
}

function isDamaged(tx: Writer, id: number): boolean {
  try {
    tx.messages.has(id);
    return false;
  } catch (error) {
    if (error instanceof RowDamaged) return true;
    throw error;
  }
}

/** A placeholder row with what the indexes know about the message. */
function placeholderMessage(tx: Writer, id: number): Message {
  const topic = [...tx.topics.range()].find(({ topic_id }) =>
    tx.topic_messages.has([topic_id], id),
  );
  const conversation =
    !topic &&
    [...tx.conversations.range()].find(({ recipient_id }) => {
      return tx.conversation_messages.has([recipient_id], id);
    });
  const sender = [...tx.users.range()].find(({ user_id }) => tx.sender_messages.has([user_id], id));
  const groups = [...tx.groups.range()].filter((group) => tx.group_mentions.has([group.id], id));
  const channel = topic && tx.channels.get(topic.stream_id);
  return {
    id,
    sender_id: sender?.user_id ?? 0,
    timestamp: tx.now,
    stream_id: topic?.stream_id ?? 0,
    topic_id: topic?.topic_id ?? 0,
    recipient_id: channel?.recipient_id ?? (conversation ? conversation.recipient_id : 0),
    content: "",
    rendered_content: null,
    client: "",
    // All flags that it may have had. Flags that it did not have are removed from the indexes.
    bits: HAS_LINK | HAS_IMAGE | HAS_ATTACHMENT | STREAM_WILDCARD,
    mentioned_user_ids: null,
    mentioned_group_ids: groups.map((group) => group.id),
    reactions: null,
    submessages: null,
    edit_history: null,
    last_edit_timestamp: null,
    last_moved_timestamp: null,
    renames_seen: 0,
    spelling: null,
  };
}

/** Moves files aside on the local disk. Does nothing for files in a bucket. */
export async function setFilesAside(realm: Realm, paths: readonly string[]): Promise<void> {
  const folder = quarantineFolder(realm);
  for (const location of paths) {
    const { path } = (await blobsOf(realm).find(location)) ?? {};
    if (path === undefined) continue;
    const to = join(folder, `file-${timestampName(realm)}-${basename(location)}`);
    moveFile(path, to);
  }
  syncNow(folder);
}

/** Moves a file, even if uploads are on another disk. */
function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as { code?: string }).code !== "EXDEV") throw error;
    copyFileSync(from, to);
    syncNow(to);
    rmSync(from);
  }
  syncNow(dirname(from));
}
