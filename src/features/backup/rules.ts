// Names of backup sets, and which sets are kept.
import { DAY_SECONDS } from "../../contract/units.ts";

/** The number of newest days, weeks and months whose last set is kept. */
export interface BackupRetention {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

export const DEFAULT_KEEP: BackupRetention = { daily: 7, weekly: 5, monthly: 12 };

/** 1 January 1970 was a Thursday; weeks begin on Mondays. */
const WEEK_SHIFT_DAYS = 3;
const SET_NAME = /^\d{4}-\d\d-\d\dT\d{6}Z-[0-9a-f]{8}$/;

interface Dated {
  readonly id: string;
  readonly created: number;
  /** Whether no file was damaged or missing when the set was made. */
  readonly is_whole: boolean;
}

/** Number of random hexadecimal digits, because two sets may be made in the same second. */
export const RANDOM_DIGITS_LENGTH = 5;

/** Sorts by time. Takes milliseconds. */
export function setName(created_ms: number, random: string): string {
  const time = new Date(created_ms).toISOString().replaceAll(":", "");
  const within = (created_ms % 1000).toString(16).padStart(3, "0");
  return `${time.replace(/\.\d+/, "")}-${within}${random}`;
}

/** The time in a set's name, in seconds since 1970. */
export function createdOf(name: string): number {
  const [, date, hour, minute, second] = /^(.{11})(\d\d)(\d\d)(\d\d)/.exec(name)!;
  return Date.parse(`${date}${hour}:${minute}:${second}Z`) / 1000;
}

export const isSetName = (name: string) => SET_NAME.test(name);

/** The sets to keep: the newest of each day, week and month, and always the newest complete one. */
export function retainedSets(
  sets: readonly Dated[],
  { daily, weekly, monthly }: BackupRetention,
): Set<string> {
  const newest = sets.toSorted((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1));
  const wholeSets = newest.filter(({ is_whole }) => is_whole);
  const retained = new Set(newest.slice(0, 1).map(({ id }) => id));
  for (const { id } of wholeSets.slice(0, 1)) retained.add(id);
  const day = ({ created }: Dated) => Math.floor(created / DAY_SECONDS);
  const week = (set: Dated) => Math.floor((day(set) + WEEK_SHIFT_DAYS) / 7);
  const month = ({ created }: Dated) => new Date(created * 1000).toISOString().slice(0, 7);
  for (const id of lastOfEachPeriod(wholeSets, day, daily)) retained.add(id);
  for (const id of lastOfEachPeriod(wholeSets, week, weekly)) retained.add(id);
  for (const id of lastOfEachPeriod(wholeSets, month, monthly)) retained.add(id);
  return retained;
}

function lastOfEachPeriod(sets: readonly Dated[], periodOf: (set: Dated) => unknown, max: number) {
  const last = new Map<unknown, string>();
  for (const set of sets) if (!last.has(periodOf(set))) last.set(periodOf(set), set.id);
  return [...last.values()].slice(0, max);
}
