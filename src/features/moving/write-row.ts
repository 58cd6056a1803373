// Writes imported rows and everything derived from them, without events, emails or pushes.
import type { Writer } from "../../realm.ts";
import type { Attachment, Message } from "../../schema/records-messages.ts";
import type { ImportedRow } from "../../schema/records-moving.ts";
import type { Topic } from "../../schema/records.ts";
import { tables } from "../../schema/schema.ts";
import type { KeyPart, TableWriter } from "../../store/declare.ts";
import { ownValue } from "../../text/input/own-value.ts";
import { spaceUsed } from "../files/wire.ts";
import { STREAM_WILDCARD } from "../messages/rules.ts";
import { REALM_ID } from "../realm/rules.ts";
import { indexMessage, MARKS } from "../search/index.ts";
import { indexTopic } from "../search/topics.ts";

export type TableName = keyof typeof tables;
export type Row = Readonly<Record<string, unknown>>;

/** Fields that the server changes by itself, excluded from checksums. */
const CHANGEABLE_FIELDS: Partial<Record<string, readonly string[]>> = {
  channels: ["first_message_id", "is_recently_active"],
  conversations: ["last_id"],
  topics: ["first_id", "last_id", "count", "name", "base"],
  attachments: ["unused_since"],
};

/** A record of an archive, ready to be written. */
export interface Item extends Pick<ImportedRow, "step" | "source_key"> {
  /** Approximate size within the transaction. */
  readonly bytes: number;
  write(tx: Writer): Written;
}

/** The stored row of an item. */
export type Written = Pick<ImportedRow, "table" | "row_key" | "checksum">;

/** Stores a row and everything derived from it. Returns the row's checksum. */
export function putRow(tx: Writer, table: TableName, row: Row): number {
  tableOf(tx, table).put(row);
  // The table's name determines the type of the row.
  if (table === "messages") placeMessage(tx, row as unknown as Message);
  if (table === "topics") indexTopic(tx, undefined, row as unknown as Topic);
  if (table === "attachments") countFile(tx, row as unknown as Attachment);
  return checksumOf(table, row);
}

/** Deletes a row and everything that `putRow` derived from it, except in the search index. */
export function dropRow(tx: Writer, table: TableName, key: readonly KeyPart[], row: Row): void {
  // The table's name determines the type of the row.
  if (table === "messages") displaceMessage(tx, row as unknown as Message);
  if (table === "topics") indexTopic(tx, row as unknown as Topic, undefined);
  tableOf(tx, table).delete(...key);
}

/** Looks up a table by its name; the type of its rows is unknown. */
export function tableOf(tx: Writer, table: TableName): TableWriter<Row> {
  return tx[table] as unknown as TableWriter<Row>;
}

export function keyOfRow(table: TableName, row: Row): KeyPart[] {
  return tables[table].key.map((name) => row[name] as KeyPart);
}

export function checksumOf(table: string, row: Row): number {
  const { fields } = tables[table as TableName];
  const changing = ownValue(CHANGEABLE_FIELDS, table);
  const counted = fields.filter((field) => !changing?.includes(field));
  return Bun.hash.crc32(
    JSON.stringify(
      counted.map((field) => row[field] ?? null),
      bytesAsText,
    ),
  );
}

/** Writes bytes in one form, whether the store returned them as a Buffer or a Uint8Array. */
function bytesAsText(this: unknown, key: string, value: unknown): unknown {
  const raw = (this as Readonly<Record<string, unknown>>)[key];
  return raw instanceof Uint8Array ? raw.toBase64() : value;
}

function placeMessage(tx: Writer, message: Message): void {
  const { id, sender_id, stream_id, topic_id, recipient_id, bits } = message;
  indexMessage(tx, message);
  tx.sender_messages.add([sender_id], id);
  if (stream_id === 0) tx.conversation_messages.add([recipient_id], id);
  else {
    tx.channel_messages.add([stream_id], id);
    tx.topic_messages.add([topic_id], id);
  }
  if (bits & STREAM_WILDCARD) tx.wildcards.add([0], id);
  for (const group_id of message.mentioned_group_ids ?? []) tx.group_mentions.add([group_id], id);
  if (message.reactions) tx.reacted_messages.add([0], id);
}

function displaceMessage(tx: Writer, message: Message): void {
  const { id, sender_id, stream_id, topic_id, recipient_id, bits } = message;
  for (const mark of MARKS) if (bits & mark) tx.marked_messages.remove([mark], id);
  tx.sender_messages.remove([sender_id], id);
  if (stream_id === 0) tx.conversation_messages.remove([recipient_id], id);
  else {
    tx.channel_messages.remove([stream_id], id);
    tx.topic_messages.remove([topic_id], id);
  }
  tx.wildcards.remove([0], id);
  for (const group_id of message.mentioned_group_ids ?? []) {
    tx.group_mentions.remove([group_id], id);
  }
  tx.reacted_messages.remove([0], id);
}

function countFile(tx: Writer, { size }: Attachment): void {
  tx.upload_space.put({ realm_id: REALM_ID, bytes: spaceUsed(tx) + size });
}
