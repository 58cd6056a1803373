/**
 * Reads the rows of an organization that a Zulip archive contains, to compare them after an import.
 */
import {
  EXPORTED_TABLES,
  type ExportedTable,
  fieldsOf,
} from "../../src/features/moving/jsonl/shapes-rules.ts";
import { NOT_IN_ZULIP } from "../../src/features/moving/zulip/write/missing-data-rules.ts";
import type { Reader } from "../../src/realm.ts";
import type { Json } from "../test-server.ts";

/** Returns the rows of each table, by key, without the fields that the format lacks. */
export function comparableTables(read: Reader): Json {
  const tables: Json = {};
  for (const table of EXPORTED_TABLES) {
    if (Object.hasOwn(NOT_IN_ZULIP, table)) continue;
    const names = fieldsOf(table).map(({ name }) => name);
    const stored = names.filter((name) => !Object.hasOwn(NOT_IN_ZULIP, `${table}.${name}`));
    const rows = [...read[table].range()] as unknown as Json[];
    tables[table] = rows.map((row) => textOf(table, row, stored)).sort();
  }
  return tables;
}

/** Fields that the format lacks only for system bots and system groups. */
const OF_THE_SYSTEM: Readonly<Record<string, readonly string[]>> = {
  users: ["delivery_email", "date_joined"],
  groups: ["date_created"],
};

function textOf(table: ExportedTable, row: Json, stored: readonly string[]): string {
  const isOwn = !row.is_system_bot && !row.is_system_group;
  const names = isOwn ? [...stored, ...(OF_THE_SYSTEM[table] ?? [])] : stored;
  const fields = names.map((name) => [name, row[name] ?? null]);
  if (table === "messages" && row.reactions) row.reactions.sort(byUser);
  return JSON.stringify(Object.fromEntries(fields));
}

const byUser = (a: Json, b: Json) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
