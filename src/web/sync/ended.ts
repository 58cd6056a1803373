// Which accounts' data this browser has yet to delete, because their session here has ended.
import { isOfAnotherSession } from "../api/session.ts";

/** What becomes of drafts and messages that the server does not have. */
export type Unsent = "delete" | "seal";

export interface Ending {
  readonly user_id: number;
  readonly unsent: Unsent;
}

const NOTED = "skein.ended";

/** Noted before the deletion begins and until it is done: the next start goes on with it. */
export function noteEnding(ending: Ending): void {
  write([...endings().filter(({ user_id }) => user_id !== ending.user_id), ending]);
}

export function forgetEnding(user_id: number): void {
  write(endings().filter((ending) => ending.user_id !== user_id));
}

export function endings(): Ending[] {
  try {
    const noted: unknown = JSON.parse(localStorage.getItem(NOTED) ?? "[]");
    return Array.isArray(noted) ? noted.filter(isEnding) : [];
  } catch {
    return [];
  }
}

/** Whether the disk may hold data of a session that is over; then nothing is read before. */
export const hasEnded = (): boolean => endings().length > 0 || isOfAnotherSession();

function isEnding(value: unknown): value is Ending {
  const { user_id, unsent } = (value ?? {}) as Partial<Ending>;
  return Number.isSafeInteger(user_id) && (unsent === "delete" || unsent === "seal");
}

function write(all: readonly Ending[]): void {
  try {
    if (all.length === 0) localStorage.removeItem(NOTED);
    else localStorage.setItem(NOTED, JSON.stringify(all));
  } catch {
    // Where storage is denied there is no database either.
  }
}
