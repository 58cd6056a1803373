// The limits of invitations, and parsing of the addresses that an inviter types.
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Invitation } from "../../schema/records-people.ts";
import { foldedAddress } from "../../text/email-address.ts";

export const VALIDITY_MINUTES = 14_400;
/** A hundred years; the alternative is no expiry. */
export const VALIDITY_MINUTES_MAX = 52_560_000;
export const WELCOME_LENGTH_MAX = 8_000;
/** Time before the expiry at which a reminder is sent. */
export const REMINDED_SECONDS_BEFORE = 2 * DAY_SECONDS;
/** Maximum of open invitations per inviter. */
export const INVITATIONS_OPEN_MAX = 1_000;
/** Maximum including ended ones, which are kept for a while. */
export const INVITATIONS_KEPT_MAX = 10_000;
/** With open sign-up, minimum age of an account before it may invite. */
export const INVITER_AGE_DAYS_MIN = 3;
/** Time for which ended invitations are kept. */
export const ENDED_KEPT_SECONDS = 30 * DAY_SECONDS;

/**
 * Separated by commas, semicolons, line breaks or spaces; `Name <address>` counts as the address.
 */
export function addressesIn(text: string): string[] {
  const addresses = text.split(/[,;\n\r]/).flatMap((part) => {
    const marked = Array.from(part.matchAll(/<([^<>]*)>/g), ([, item]) => item!.trim());
    if (marked.length > 0) return marked;
    const words = part.trim().split(/\s+/);
    const hasSeveral = words.filter((word) => word.includes("@")).length > 1;
    return hasSeveral ? words : [part.trim()];
  });
  const byFolded = new Map<string, string>();
  for (const address of addresses) {
    const folded = foldedAddress(address);
    if (address !== "" && !byFolded.has(folded)) byFolded.set(folded, address);
  }
  return [...byFolded.values()];
}

/** Neither revoked nor expired. `now` in seconds. */
export function isOpen({ revoked, expiry_date }: Invitation, now: number): boolean {
  return revoked === null && (expiry_date === null || expiry_date > now);
}
