// How the change of one record is read: as the acts that it is, or as none.
import type { Reader } from "../../realm.ts";
import type { Actor } from "../../server/acting.ts";
import type { Act } from "./rules.ts";

/** One record that was put, replaced or deleted: what was done by that, if it is worth a word. */
export type Reading<R> = (
  change: { was: R | undefined; is: R | undefined },
  tx: Reader,
  actor: Actor,
) => readonly Act[] | Act | undefined;
