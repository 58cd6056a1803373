// Reads a JSON object of lists row by row, with one row in memory at a time.
import { isFields } from "../../../text/untrusted-json.ts";
import type { Archive, Span } from "./entries.ts";
import type { Damage } from "./damage.ts";
import { JSON_DEPTH_MAX, parsed } from "../json-lines.ts";
import { MovingRefused } from "../errors.ts";
import { type Part, PartFinder } from "./part-finder.ts";
import { RowSplitter } from "./row-splitter.ts";

/**
 * The fields of the JSON object in an entry, with their positions. With `damage`, returns the
 * fields before the damage; `rowsIn` reports a list that is truncated.
 */
export async function partsOf(
  archive: Archive,
  name: string,
  damage?: Damage,
): Promise<Map<string, Part>> {
  // With `damage`, `rowsIn` leaves out records that are nested too deeply, so they are accepted
  // here.
  const finding = new PartFinder(name, damage ? Infinity : JSON_DEPTH_MAX + 2);
  try {
    for await (const piece of archive.stream(name)) finding.take(piece);
    return finding.finish();
  } catch (error) {
    if (!damage || !(error instanceof MovingRefused)) throw error;
    const { parts, hasCut } = finding.endCut(error, archive.sizes.get(name) ?? 0);
    if (!hasCut) damage.rest(name, error);
    return parts;
  }
}

export interface TableRow {
  readonly row: Record<string, unknown>;
  /** The file, the table and the number of the row, from 1. */
  readonly location: string;
}

/** The objects of a list. `label` names it in errors. Without `damage`, other values are errors. */
export async function* rowsIn(
  archive: Archive,
  name: string,
  label: string,
  part: Part | undefined,
  damage?: Damage,
): AsyncIterable<TableRow> {
  if (!part) return;
  const location = (rowNumber: number) => `${label}#${rowNumber}`;
  const splitter = new RowSplitter(location);
  const onOther = (rowNumber: number) => {
    if (!damage) throw new MovingRefused("not an object", location(rowNumber));
    damage.record(location(rowNumber));
  };
  try {
    if (!part.isList) throw new MovingRefused("not a list", label);
    for await (const piece of archive.stream(name, part)) {
      for (const bytes of splitter.take(piece)) {
        const rowNumber = ++splitter.count;
        const row = bytes && recordIn(bytes, location(rowNumber), damage);
        if (isFields(row)) yield { row, location: location(rowNumber) };
        else if (row !== DAMAGED_VALUE) onOther(rowNumber);
      }
    }
    if (splitter.finish()) onOther(++splitter.count);
    if (part.error) throw part.error;
  } catch (error) {
    if (!damage || !(error instanceof MovingRefused)) throw error;
    damage.rest(label, error);
  }
}

const DAMAGED_VALUE = Symbol("damaged");

function recordIn(bytes: Uint8Array, location: string, damage: Damage | undefined): unknown {
  try {
    return parsed(bytes, location);
  } catch (error) {
    if (!damage || !(error instanceof MovingRefused)) throw error;
    damage.record(location, error);
    return DAMAGED_VALUE;
  }
}

const MARGIN_BYTES = 64;

/** The part of a file that is a list, between its brackets. */
export async function listIn(archive: Archive, name: string): Promise<Part> {
  const size = archive.sizes.get(name) ?? 0;
  const head = await textAt(archive, name, { from: 0, to: Math.min(size, MARGIN_BYTES) });
  const start = Math.max(0, size - MARGIN_BYTES);
  const tail = await textAt(archive, name, { from: start, to: size });
  const from = startIn(head);
  if (from === undefined) throw new MovingRefused("not a list", name);
  const end = tail.trimEnd();
  if (!end.endsWith("]")) throw new MovingRefused("ends early: truncated?", name);
  return { from, to: start + end.length - 1, isList: true };
}

/** Like `listIn`, but a truncated list ends at the end of the file. undefined: not a list. */
export async function cutListIn(
  archive: Archive,
  name: string,
  label: string,
  damage: Damage,
): Promise<Part | undefined> {
  try {
    return await listIn(archive, name);
  } catch (error) {
    if (!(error instanceof MovingRefused)) throw error;
    const to = archive.sizes.get(name) ?? 0;
    const head = await textAt(archive, name, { from: 0, to: Math.min(to, MARGIN_BYTES) }).catch(
      () => "",
    );
    const from = startIn(head);
    if (from !== undefined) return { from, to, isList: true, error };
    damage.rest(label, error);
    return undefined;
  }
}

/** Whether a file begins like a list. */
export async function isList(archive: Archive, name: string): Promise<boolean> {
  const to = Math.min(archive.sizes.get(name) ?? 0, MARGIN_BYTES);
  return startIn(await textAt(archive, name, { from: 0, to })) !== undefined;
}

/** The position after the bracket of a list; undefined: the file is no list. */
function startIn(head: string): number | undefined {
  const [start] = /^(?:\u00ef\u00bb\u00bf)?\s*\[/.exec(head) ?? [];
  return start?.length;
}

async function textAt(archive: Archive, name: string, span: Span): Promise<string> {
  let text = "";
  for await (const piece of archive.stream(name, span))
    text += Buffer.from(piece).toString("latin1");
  return text;
}
