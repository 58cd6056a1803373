// Records accounts with ended sessions whose data must still be deleted.
import { orUndefined, isOfAnotherSession } from "../../api/session.ts";

/** The user's choice for drafts and messages that the server does not have. */
export type Unsent = "delete" | "seal";

export interface EndedAccount {
  readonly user_id: number;
  readonly unsent: Unsent;
}

const ENDED_KEY = "skein.ended";

/**
 * Recorded before the deletion begins and until it is complete, so that the next start can resume
 * it.
 */
export function recordEnding(ending: EndedAccount): void {
  writeEndings([...endings().filter(({ user_id }) => user_id !== ending.user_id), ending]);
}

export function forgetEnding(user_id: number): void {
  writeEndings(endings().filter((ending) => ending.user_id !== user_id));
}

const UNSENT_CHOICE_KEY = "skein.unsent";

/** The user's choice at sign-out. Kept after the deletion, because another tab may still write. */
export function recordChoice({ user_id, unsent }: EndedAccount, session: string): void {
  orUndefined(() => localStorage.setItem(UNSENT_CHOICE_KEY, `${user_id} ${session} ${unsent}`));
}

/** `session`: undefined if the user is signed out and only the account is known. */
export function choiceOf(user_id: number, session?: string): Unsent | undefined {
  const chosen = orUndefined(() => localStorage.getItem(UNSENT_CHOICE_KEY)) ?? "";
  const [storedUserId, at, unsent] = chosen.split(" ");
  if (Number(storedUserId) !== user_id || (session !== undefined && at !== session))
    return undefined;
  return unsent === "delete" || unsent === "seal" ? unsent : undefined;
}

/** The choice was for another session, or could not be applied. */
export function forgetChoice(session?: string): void {
  const chosen = orUndefined(() => localStorage.getItem(UNSENT_CHOICE_KEY)) ?? "";
  if (session !== undefined && chosen.split(" ")[1] === session) return;
  orUndefined(() => localStorage.removeItem(UNSENT_CHOICE_KEY));
}

export function endings(): EndedAccount[] {
  const stored = orUndefined<unknown>(() => JSON.parse(localStorage.getItem(ENDED_KEY) ?? "[]"));
  return Array.isArray(stored) ? stored.filter(isEnding) : [];
}

/**
 * Whether the disk may contain data of an ended session, which must be deleted before anything is
 * read.
 */
export const hasEnded = (): boolean => endings().length > 0 || isOfAnotherSession();

function isEnding(value: unknown): value is EndedAccount {
  const { user_id, unsent } = (value ?? {}) as Partial<EndedAccount>;
  return Number.isSafeInteger(user_id) && (unsent === "delete" || unsent === "seal");
}

function writeEndings(all: readonly EndedAccount[]): void {
  if (all.length === 0) orUndefined(() => localStorage.removeItem(ENDED_KEY));
  else orUndefined(() => localStorage.setItem(ENDED_KEY, JSON.stringify(all)));
}
