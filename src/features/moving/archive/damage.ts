// Lets a reader skip damaged parts of an archive, and lists them in the report.
import { MovingRefused } from "../errors.ts";
import type { Reporting } from "../report.ts";

/** Readers report damage to these functions, which throw if the reader must not continue. */
export interface Damage {
  /** `error` is absent if the record is valid JSON but not an object. */
  record(location: string, error?: MovingRefused): void;
  /** The rest of the file cannot be read. */
  rest(location: string, error: MovingRefused): void;
}

/** The loss of a message without one of the fields that every message needs. */
export const INCOMPLETE_MESSAGE = "A message has no id, place, author or time: it is left out.";
/** The loss of a record of no usable form in a list of users, channels or messages. */
export const UNUSABLE_RECORD = "A record is no object or has no id: it is left out.";

const UNREADABLE = "A record cannot be read: it is left out.";
const DAMAGED_FILE = "A file is damaged: everything after the damage is left out.";

/** Counts damage as losses. `kind`: the loss of a value that is not an object. */
export const countDamage = (losses: Reporting, kind: string): Damage => ({
  record(location, error) {
    losses.lost(error ? UNREADABLE : kind, location);
    losses.damage ??= error;
  },
  rest(location, error) {
    losses.lost(DAMAGED_FILE, location);
    losses.damage ??= error;
  },
});

/** Used in a second pass over records, because the first pass has counted the losses. */
export const ignoreDamage: Damage = { record() {}, rest() {} };

/** Rejects damage of essential files. `onOther` receives values that are not objects. */
export const refuseDamage = (onOther: (location: string) => void): Damage => ({
  record(location, error) {
    if (error) throw error;
    onOther(location);
  },
  rest(_place, error) {
    throw error;
  },
});

/** Runs a step whose failure damages a single part of the archive. */
export async function unlessDamaged<T>(
  work: () => Promise<T>,
  onDamage: (error: MovingRefused) => void,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MovingRefused)) throw error;
    onDamage(error);
    return undefined;
  }
}
