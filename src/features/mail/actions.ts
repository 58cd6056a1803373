// Emails enqueued by a transaction; their content is rendered when they are sent.
import type { Writer } from "../../realm.ts";

export const MAIL = "mail";

/**
 * The subject of an email. Its recipients and whether it is still wanted are checked when it is
 * sent.
 */
export type Mail =
  | { about: "invitation" | "invitation reminder"; id: number }
  | { about: "password reset" | "new address" | "address asked" | "sign-up"; hash: string }
  | { about: "address changed"; user_id: number; former: string }
  | { about: "welcome"; user_id: number }
  | {
      about: "sign-in";
      user_id: number;
      client: string;
      address: string;
      at: number;
      is_last?: boolean;
    }
  | {
      about: "administrator acted";
      user_id: number;
      by_id: number;
      act: "link" | "sign-out" | "two-factor" | "role";
      /** The new role, if it was changed. */
      role?: number;
      at: number;
    }
  | { about: "account closed"; user_id: number; address: string; comment: string }
  | { about: "organization closed"; user_id: number; by_id: number }
  | { about: "account found"; email: string }
  | { about: "backup failed"; user_id: number; words: string }
  | { about: "missed messages"; user_id: number; message_ids: number[] };

/** Enqueues the email. Does nothing without a mail server. `time`: seconds since 1970. */
export function mail(tx: Writer, content: Mail, time: number = tx.now): void {
  if (tx.config.mail) tx.enqueue(MAIL, time * 1000, content);
}
