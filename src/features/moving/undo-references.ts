// Finds rows that name users and channels which an undo is about to delete.
import { yieldToEventLoop } from "../../async/yield.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { Reference, References } from "../../schema/references.ts";
import { ascending, idOf } from "../../store/bitmap/bitmap.ts";
import { decodeChunk } from "../../store/bitmap/encodings.ts";
import { keyOfRow, type TableName, tableOf } from "./write-row.ts";

/** Returns why the undo must keep a user or channel; undefined: no row needs it. */
export function reasonFrom(tx: Writer, all: References, id: number): string | undefined {
  return findable(all).find(({ table, field, reference }) => {
    return reference.keeps !== undefined && rowsNaming(tx, table, field, reference, id).length > 0;
  })?.reference.keeps;
}

/** Deletes the rows that are deleted with the user or channel. */
export function deleteNaming(tx: Writer, all: References, id: number): void {
  for (const { table, field, reference } of findable(all)) {
    if (reference.keeps !== undefined) continue;
    for (const row of rowsNaming(tx, table, field, reference, id)) {
      tableOf(tx, table).delete(...keyOfRow(table, row));
    }
  }
}

/** Users who reacted to messages. Reads in steps, because it may be many messages. */
export async function reactingUsers({ read }: Realm): Promise<ReadonlySet<number>> {
  const user_ids = new Set<number>();
  for (const chunk of [...read.reacted_messages.chunks([0])]) {
    const bytes = read.reacted_messages.chunk([0], chunk);
    for (const id of bytes ? ascending(decodeChunk(bytes), idOf(chunk, 0)) : []) {
      for (const { user_id } of read.messages.get(id)?.reactions ?? []) user_ids.add(user_id);
    }
    await yieldToEventLoop();
  }
  return user_ids;
}

type Findable = Exclude<Reference, string>;

/** The references whose rows an undo looks for. */
function findable(all: References) {
  return Object.entries(all).flatMap(([table, fields]) =>
    Object.entries(fields).flatMap(([field, reference]) => {
      // The keys of the declaration are names of tables.
      return typeof reference === "string" ? [] : [{ table: table as TableName, field, reference }];
    }),
  );
}

function rowsNaming(tx: Writer, table: TableName, field: string, found: Findable, id: number) {
  const rows = tableOf(tx, table);
  if ("index" in found) return rows.listBy(found.index, id);
  if (found.by === "key") return [rows.get(id)].filter((row) => row !== undefined);
  return [...rows.range()].filter((row) => names(row[field], id));
}

const names = (value: unknown, id: number): boolean =>
  Array.isArray(value) ? value.includes(id) : value === id;
