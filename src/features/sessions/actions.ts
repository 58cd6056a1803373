// Sessions: a browser begins one by signing in, and it ends by the person, by time, or with more.
import type { Reader, Writer } from "../../realm.ts";
import type { Session } from "../../records-people.ts";
import type { User } from "../../records.ts";
import { hashOfToken, SESSION_IDLE_SECONDS } from "../../server/session.ts";
import { dropDevices } from "../devices/actions.ts";

/** One more, and the session that was unused longest ends. */
export const SESSIONS_PER_USER_MAX = 50;
const TOKEN_BYTES = 32;
const USER_AGENT_LENGTH_MAX = 300;

export const END_QUEUES = "end queues";

/** Gives the token for the cookie, which nobody learns a second time. */
export function startSession(
  tx: Writer,
  { user_id }: User,
  { user_agent, method }: Pick<Session, "user_agent" | "method">,
): string {
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const text = token.toString("base64url");
  const old = sessionsOf(tx, user_id);
  endAll(tx, old.slice(0, Math.max(0, old.length - SESSIONS_PER_USER_MAX + 1)));
  tx.sessions.put({
    session_id: tx.next("sessions"),
    user_id,
    hash: hashOfToken(text),
    created: tx.now,
    last_used: tx.now,
    expires: tx.now + SESSION_IDLE_SECONDS,
    user_agent: user_agent.slice(0, USER_AGENT_LENGTH_MAX).toWellFormed(),
    method,
  });
  return text;
}

export function endSession(tx: Writer, session: Session): void {
  endAll(tx, [session]);
}

/** All of a person's, but for the one in which it was asked for. */
export function endSessionsOf(tx: Writer, user_id: number, except?: number): void {
  const meant = sessionsOf(tx, user_id).filter(({ session_id }) => session_id !== except);
  endAll(tx, meant);
}

/** Everybody's. */
export function endAllSessions(tx: Writer): void {
  endAll(tx, [...tx.sessions.range()]);
}

/** What was registered in a session goes with it; its queues as soon as that is durable. */
export function endAll(tx: Writer, sessions: readonly Session[]): void {
  if (sessions.length === 0) return;
  for (const { session_id, user_id } of sessions) {
    tx.sessions.delete(session_id);
    dropDevices(tx, user_id, -session_id);
  }
  tx.enqueue(END_QUEUES, 0, { session_ids: sessions.map(({ session_id }) => session_id) });
}

/** The one that was unused longest comes first. */
export function sessionsOf(reader: Reader, user_id: number): Session[] {
  const sessions = reader.sessions.by("user", user_id);
  return sessions.sort((a, b) => a.last_used - b.last_used || a.session_id - b.session_id);
}
