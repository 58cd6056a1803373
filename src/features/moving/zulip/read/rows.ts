// Reads fields of untrusted rows; a field of another type counts as absent.
import { isObject } from "../../json.ts";

export type ZulipRow = Readonly<Record<string, unknown>>;

export function int(row: ZulipRow, name: string): number | undefined {
  const value = field(row, name);
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

export function text(row: ZulipRow, name: string): string | undefined {
  const value = field(row, name);
  return typeof value === "string" ? cleaned(value) : undefined;
}

export function bool(row: ZulipRow, name: string): boolean | undefined {
  const value = field(row, name);
  return typeof value === "boolean" ? value : undefined;
}

/** Times are numbers of seconds, except in a few columns of old versions, where they are texts. */
export function seconds(row: ZulipRow, name: string): number | undefined {
  const value = field(row, name);
  if (typeof value === "number" && Number.isFinite(value)) return Math.floor(value);
  if (typeof value !== "string") return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

export function ints(row: ZulipRow, name: string): number[] {
  const value = field(row, name);
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is number => Number.isSafeInteger(item));
}

/** Parses columns that contain JSON as text. */
export function jsonIn(given: string | undefined): unknown {
  try {
    return given === undefined ? undefined : (JSON.parse(given) as unknown);
  } catch {
    return undefined;
  }
}

export function objectsIn(value: unknown): ZulipRow[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function field(row: ZulipRow, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

export const cleaned = (given: string) => given.toWellFormed().replaceAll("\0", "");

/** Truncates to a number of characters. */
export const cut = (given: string, most: number) => [...given].slice(0, most).join("");
