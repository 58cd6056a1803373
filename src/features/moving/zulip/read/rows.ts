// Reads fields of untrusted rows; a field of another type counts as absent.
import { isFields } from "../../../../text/untrusted-json.ts";
import { MovingRefused } from "../../errors.ts";

export type ZulipRow = Readonly<Record<string, unknown>>;

export function int(row: ZulipRow, name: string): number | undefined {
  const value = field(row, name);
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** Zulip's ids fit into 32 bits, except those of messages. */
const ID_MAX = 2 ** 31 - 1;

export function idIn(row: ZulipRow, name = "id"): number | undefined {
  const value = int(row, name);
  return value !== undefined && value >= 1 && value <= ID_MAX ? value : undefined;
}

/** @throws if the id is 0, which only Zulip's converters give */
export function checkIsExported(row: ZulipRow, location: string): void {
  if (int(row, "id") !== 0) return;
  throw new MovingRefused(
    "The id is 0. Zulip's converters for other products write such files, and no export does. " +
      "Pass the archive of the other product instead",
    location,
  );
}

export function text(row: ZulipRow, name: string): string | undefined {
  const value = field(row, name);
  return typeof value === "string" ? cleaned(value) : undefined;
}

export function bool(row: ZulipRow, name: string): boolean | undefined {
  const value = field(row, name);
  return typeof value === "boolean" ? value : undefined;
}

/** The year 5138. */
const SECONDS_MAX = 1e11;

/** Times are numbers of seconds, except in a few columns of old versions, where they are texts. */
export function seconds(row: ZulipRow, name: string): number | undefined {
  const value = field(row, name);
  const time = typeof value === "string" ? Date.parse(value) / 1000 : value;
  const isTime = typeof time === "number" && time >= 0 && time < SECONDS_MAX;
  return isTime ? Math.floor(time) : undefined;
}

export function objectsIn(value: unknown): ZulipRow[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function field(row: ZulipRow, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

export const cleaned = (value: string) => value.toWellFormed().replaceAll("\0", "");

/** A name for people, which is never empty. */
export const nameIn = (row: ZulipRow, fallback: string, lengthMax: number) =>
  truncated((text(row, "name") ?? "").trim() || fallback, lengthMax);

/** Truncates to a number of characters. */
export const truncated = (value: string, lengthMax: number) =>
  [...value].slice(0, lengthMax).join("");
