// Which accounts' data this browser has yet to delete, because their session here has ended.
import { attempt, isOfAnotherSession } from "../../api/session.ts";

/** What happens to drafts and messages that the server does not have. */
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

const CHOSEN = "skein.unsent";

/**
 * The user's choice at sign-out. It outlives the note of the ending, since a tab may write after
 * the deletion.
 */
export function noteChoice({ user_id, unsent }: Ending, session: string): void {
  attempt(() => localStorage.setItem(CHOSEN, `${user_id} ${session} ${unsent}`));
}

/** `session`: undefined where nobody is signed in, and only the account is known. */
export function choiceOf(user_id: number, session?: string): Unsent | undefined {
  const chosen = attempt(() => localStorage.getItem(CHOSEN)) ?? "";
  const [of, at, unsent] = chosen.split(" ");
  if (Number(of) !== user_id || (session !== undefined && at !== session)) return undefined;
  return unsent === "delete" || unsent === "seal" ? unsent : undefined;
}

/** The choice was for another session, or could not be carried out. */
export function forgetChoice(session?: string): void {
  const chosen = attempt(() => localStorage.getItem(CHOSEN)) ?? "";
  if (session !== undefined && chosen.split(" ")[1] === session) return;
  attempt(() => localStorage.removeItem(CHOSEN));
}

export function endings(): Ending[] {
  const noted = attempt<unknown>(() => JSON.parse(localStorage.getItem(NOTED) ?? "[]"));
  return Array.isArray(noted) ? noted.filter(isEnding) : [];
}

/** Whether the disk may hold data of a session that is over; then nothing is read before. */
export const hasEnded = (): boolean => endings().length > 0 || isOfAnotherSession();

function isEnding(value: unknown): value is Ending {
  const { user_id, unsent } = (value ?? {}) as Partial<Ending>;
  return Number.isSafeInteger(user_id) && (unsent === "delete" || unsent === "seal");
}

function write(all: readonly Ending[]): void {
  if (all.length === 0) attempt(() => localStorage.removeItem(NOTED));
  else attempt(() => localStorage.setItem(NOTED, JSON.stringify(all)));
}
