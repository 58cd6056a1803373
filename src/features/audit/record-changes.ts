// Interprets the change of a single record as audit entries.
import type { Reader } from "../../realm.ts";
import type { Actor } from "../../server/actor.ts";
import type { Act } from "./rules.ts";

/** Returns the entries for a record that was put, replaced or deleted, or none. */
export type ChangeReader<R> = (
  change: { before: R | undefined; after: R | undefined },
  tx: Reader,
  actor: Actor,
) => readonly Act[] | Act | undefined;
