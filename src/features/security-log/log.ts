// Writes security events to the log: account, address and reason.
import { Refusal } from "../../contract/errors/general.ts";
import { perRealm, type Realm } from "../../realm.ts";
import { Limiter } from "../../server/limit.ts";

/** Limits the events of each kind, so that attackers cannot fill the disk. */
export const NOTES_MAX = { calls: 100, seconds: 60 };

/** Must not contain secrets or user input: users sometimes type a password into the wrong field. */
interface SecurityEvent {
  /** The account, if there is one. */
  readonly user_id?: number | undefined;
  /** The network address of the request. */
  readonly address?: string | undefined;
  readonly reason?: string | undefined;
  readonly method?: string | undefined;
  /** The host of the outgoing request. */
  readonly host?: string | undefined;
}

const limits = perRealm(({ clock }) => new Limiter(clock, NOTES_MAX));

export function logSecurityEvent(
  realm: Realm,
  label: string,
  { address, ...details }: SecurityEvent,
): void {
  const { allowed, remaining } = limits(realm).take(label);
  if (!allowed) return;
  const from = realm.config.log_addresses === false ? {} : { address };
  realm.onNote(label, { ...details, ...from, ...(remaining === 0 && { more_are_left_out: true }) });
}

/** Logs errors that are thrown in it, and throws them again. `label`: such as "a sign-in". */
export async function loggingErrors<T>(
  realm: Realm,
  label: string,
  details: SecurityEvent,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) logRefusal(realm, label, details, error);
    throw error;
  }
}

export function logRefusal(
  realm: Realm,
  label: string,
  details: SecurityEvent,
  refusal: Refusal,
): void {
  const isSuppressed = refusal.errCode === "RATE_LIMIT_HIT";
  const reason = isSuppressed ? "too many tries have failed" : refusal.message;
  logSecurityEvent(realm, isSuppressed ? `${label} was shut out` : `${label} failed`, {
    ...details,
    reason,
  });
}
