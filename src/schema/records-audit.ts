// What a record holds of the audit log: the chain of acts, and what stands beside it.
import type { Seconds } from "./records.ts";

/** An act in the audit log: one link of its chain, in which nobody is named but by number. */
export interface AuditRow {
  audit_id: number;
  time: Seconds;
  /** What was done, such as `user_role_changed`. */
  act: string;
  /** null: nobody who was signed in. */
  actor_id: number | null;
  via: "browser" | "api" | "command" | "job" | "server";
  /** The kind of what it was done to, and which of these. */
  on: string;
  on_id: number | string | null;
  /** Numbers, ids and switches alone: of what was changed, before and after. */
  facts: Record<string, unknown>;
  /** SHA-256, hex, of what is beside the chain; null where nothing is. */
  words: string | null;
  where: string | null;
  /** The hash of the act before this one, and over that and all above the own one. */
  before: string;
  hash: string;
}

/** What is beside the chain of an act: 1 its words, 2 where it came from. */
export interface AuditPart {
  audit_id: number;
  part: number;
  /** With whose account it is emptied. */
  user_id: number | null;
  /** Without it nobody can try which words a digest is of. Both are null once it is emptied. */
  salt: string | null;
  values: Record<string, unknown> | null;
}
