// Converts rows to JSON and back: decrypts secrets, and writes id sets as ranges.
import type { Reader } from "../../../realm.ts";
import type { MovePath } from "../../../schema/records-messages.ts";
import type { Invitation } from "../../../schema/records-people.ts";
import {
  type Chunk,
  CHUNK_IDS,
  chunkOf,
  eachRun,
  emptyChunk,
} from "../../../store/bitmap/bitmap.ts";
import { idOf, setRange } from "../../../store/bitmap/bitmap.ts";
import { decodeChunk, encodeChunk } from "../../../store/bitmap/encodings.ts";
import { isFields, jsonIn } from "../../../text/untrusted-json.ts";
import { ACCOUNT, CHOICE } from "../../profile/rules.ts";
import { appSecretContext } from "../../two-factor/totp.ts";
import type { Row } from "../write-row.ts";
import { MovingRefused } from "../errors.ts";
import { type ExportedTable, fieldsOf } from "./shapes-rules.ts";

type Secret = Reader["secret"];
export type Range = readonly [first: number, last: number];

/** Tables with an encrypted field `sealed`, and the context that each encryption is bound to. */
const SEALED: Partial<Record<ExportedTable, (row: Row) => string>> = {
  api_keys: (row) => String(row["hash"]),
  invitations: (row) => String(row["hash"]),
  totps: (row) => appSecretContext(Number(row["user_id"])),
};

export function jsonOf(secret: Secret, table: ExportedTable, row: Row): Row {
  const placeOf = SEALED[table];
  if (placeOf) return { ...row, sealed: decryptedText(secret, row["sealed"], placeOf(row)) };
  if (table !== "moved_messages") return row;
  const [chunk, paths] = [Number(row["chunk"]), row["move_paths"] as MovePath[]];
  const move_paths = paths.map(({ path, ids }) => ({ path, ids: rangesOf(chunk, ids) }));
  return { ...row, move_paths };
}

export function rowOf(secret: Secret, table: ExportedTable, json: Row, location: string): Row {
  const placeOf = SEALED[table];
  if (placeOf) {
    const { sealed } = json as Pick<Invitation, "sealed">;
    return { ...json, sealed: sealed === null ? null : secret.seal(sealed, placeOf(json)) };
  }
  if (table !== "moved_messages") return json;
  const chunk = Number(json["chunk"]);
  const move_paths = (json["move_paths"] as { path: number[]; ids: unknown }[]).map((part) => {
    const { bytes } = chunkIn(part?.ids, location);
    if (!Array.isArray(part.path)) throw new MovingRefused("path is not a list", location);
    return { path: part.path, ids: bytes };
  });
  return { chunk, move_paths };
}

/** Throws if a record does not match the schema of its table. */
export function checkRow(table: ExportedTable, value: unknown, location: string): Row {
  if (!isFields(value)) throw new MovingRefused("not an object", location);
  const row: Row = value;
  for (const { name, type, isNullable, isOptional } of fieldsOf(table)) {
    const field = row[name];
    if (field === undefined && isOptional) continue;
    if (field === null && isNullable) continue;
    if (field === undefined) throw new MovingRefused(`${name} is missing`, location);
    if (!isOf(type, field)) throw new MovingRefused(`${name} is not of type ${type}`, location);
  }
  if (table === "profile_fields" && !hasReadableData(row))
    throw new MovingRefused("field_data does not fit the type of the field", location);
  return row;
}

/** The server and its clients parse the data of lists and accounts. */
function hasReadableData({ type, field_data }: Row): boolean {
  if (type !== CHOICE && type !== ACCOUNT) return true;
  const data = jsonIn(String(field_data));
  if (!isFields(data)) return false;
  if (type === ACCOUNT) return typeof data["subtype"] === "string";
  return Object.values(data).every((choice) => isFields(choice) && "text" in choice);
}

/** The ids of a stored chunk as ranges; both ends are included. */
export function rangesOf(chunk: number, bytes: Uint8Array): Range[] {
  const ranges: Range[] = [];
  const base = idOf(chunk, 0);
  eachRun(decodeChunk(bytes), (first, last) => ranges.push([base + first, base + last]));
  return ranges;
}

/** The stored form of ranges that lie in one chunk. */
export function chunkIn(ranges: unknown, location: string): { chunk: number; bytes: Uint8Array } {
  const invalidRanges = () =>
    new MovingRefused("ids is not a list of ranges within one chunk", location);
  if (!Array.isArray(ranges) || ranges.length === 0 || ranges.length > CHUNK_IDS)
    throw invalidRanges();
  const allIds: Chunk = emptyChunk();
  const chunk = chunkOf(Number((ranges as Range[])[0]?.[0]));
  const base = idOf(chunk, 0);
  for (const range of ranges as unknown[]) {
    if (!Array.isArray(range) || range.length !== 2 || !range.every(Number.isSafeInteger)) {
      throw invalidRanges();
    }
    const [first, last] = range as [number, number];
    if (first < base || last < first || last >= base + CHUNK_IDS) throw invalidRanges();
    setRange(allIds, first - base, last - base);
  }
  const bytes = encodeChunk(allIds);
  if (!bytes) throw invalidRanges();
  return { chunk, bytes };
}

function decryptedText(secret: Secret, sealed: unknown, place: string): string | null {
  return typeof sealed === "string" ? (secret.open(sealed, place) ?? null) : null;
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case "int":
      return Number.isSafeInteger(value);
    case "text":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "list":
      return Array.isArray(value);
    default:
      return true;
  }
}
