// Sessions of browsers: from sign-in until the user signs out, they expire or they are revoked.
import type { Reader, Writer } from "../../realm.ts";
import type { Session } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { hashOfSecret } from "../../server/caller/secrets.ts";
import { SESSION_IDLE_SECONDS } from "../../server/caller/session.ts";
import { dropDevices } from "../devices/actions.ts";
import { END_QUEUES } from "../keys/actions.ts";
import { keysToRemove } from "../keys/limit.ts";

/** Beyond this, an existing session is ended. */
export const SESSIONS_PER_USER_MAX = 50;
const TOKEN_BYTES = 32;
const USER_AGENT_LENGTH_MAX = 300;

/** Returns the token for the cookie, which is not stored and cannot be shown again. */
export function startSession(
  tx: Writer,
  { user_id }: User,
  { user_agent, method, username }: Pick<Session, "user_agent" | "method" | "username">,
): string {
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const text = token.toString("base64url");
  const sessions = tx.sessions.listBy("user", user_id).sort((a, b) => a.session_id - b.session_id);
  endSessions(tx, keysToRemove(sessions, SESSIONS_PER_USER_MAX, tx.now));
  tx.last_sign_ins.put({ user_id, at: tx.now });
  tx.sessions.put({
    session_id: tx.next("sessions"),
    user_id,
    hash: hashOfSecret(text),
    created: tx.now,
    last_used: tx.now,
    expires: tx.now + SESSION_IDLE_SECONDS,
    user_agent: user_agent.slice(0, USER_AGENT_LENGTH_MAX).toWellFormed(),
    method,
    username,
  });
  return text;
}

export function endSession(tx: Writer, session: Session): void {
  endSessions(tx, [session]);
}

/** Ends all of a user's sessions except that of the request. */
export function endSessionsOf(tx: Writer, user_id: number, except?: number): void {
  const otherSessions = sessionsOf(tx, user_id).filter(({ session_id }) => session_id !== except);
  endSessions(tx, otherSessions);
}

/** Ends the sessions of all users. */
export function endAllSessions(tx: Writer): void {
  endSessions(tx, [...tx.sessions.range()]);
}

/** Deletes what was registered in the sessions. A job ends their queues after the commit. */
export function endSessions(tx: Writer, sessions: readonly Session[]): void {
  if (sessions.length === 0) return;
  for (const { session_id, user_id } of sessions) {
    tx.sessions.delete(session_id);
    dropDevices(tx, user_id, -session_id);
  }
  tx.enqueue(END_QUEUES, 0, { session_ids: sessions.map(({ session_id }) => session_id) });
}

/** Longest unused first. */
export function sessionsOf(reader: Reader, user_id: number): Session[] {
  const sessions = reader.sessions.listBy("user", user_id);
  return sessions.sort((a, b) => a.last_used - b.last_used || a.session_id - b.session_id);
}
