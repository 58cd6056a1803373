// Record types of the audit log: the hash chain of actions, and the data beside it.
import type { Seconds } from "./records.ts";

/** An entry of the audit log and a link of its hash chain. Identifies users by id only. */
export interface AuditRow {
  audit_id: number;
  time: Seconds;
  /** The action, such as `user_role_changed`. */
  act: string;
  /** null if no user was signed in. */
  actor_id: number | null;
  via: "browser" | "api" | "command" | "job" | "server";
  /** Type and id of the object that was changed. */
  on: string;
  on_id: number | string | null;
  /** Numbers, ids and booleans only; for a change, the values before and after. */
  facts: Record<string, unknown>;
  /** SHA-256 (hex) of the text beside the chain; null if there is none. */
  words: string | null;
  where: string | null;
  /** The hash of the previous entry, and the hash over that and all fields above. */
  before: string;
  hash: string;
}

/** Data of an entry beside the chain: 1 for its texts, 2 for its origin. */
export interface AuditPart {
  audit_id: number;
  part: number;
  /** The data is erased together with this user's account. */
  user_id: number | null;
  /** Prevents guessing the text from its digest. Both are null after erasure. */
  salt: string | null;
  values: Record<string, unknown> | null;
}
