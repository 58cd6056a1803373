// Lets a reader skip damaged parts of an archive, each with its place in the report.
import { MovingRefused } from "../errors.ts";
import type { Reporting } from "../report.ts";

/** Decides whether a reader may go on. Both throw if it may not. */
export interface Damage {
  /** `error` is absent if the record is valid JSON, but no object. */
  record(place: string, error?: MovingRefused): void;
  /** The rest of the file cannot be read. */
  rest(place: string, error: MovingRefused): void;
}

/** The loss of a message without one of the fields that every message needs. */
export const INCOMPLETE = "A message has no id, place, author or time: it is left out.";
/** A record in a list of users, channels or messages has no usable form. */
export const UNUSABLE = "A record is no object or has no id: it is left out.";

const UNREADABLE = "A record cannot be read: it is left out.";
const CUT = "A file is damaged: everything after the damage is left out.";

/** `kind`: the loss of a value that is no object. */
export const countDamage = (losses: Reporting, kind: string): Damage => ({
  record(place, error) {
    losses.lost(error ? UNREADABLE : kind, place);
    losses.damage ??= error;
  },
  rest(place, error) {
    losses.lost(CUT, place);
    losses.damage ??= error;
  },
});

/** For a second pass over records whose losses were counted in the first. */
export const ignoreDamage: Damage = { record() {}, rest() {} };

/** For files that are essential. Their values that are no objects count. */
export const refuseDamage = (onOther: (place: string) => void): Damage => ({
  record(place, error) {
    if (error) throw error;
    onOther(place);
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
