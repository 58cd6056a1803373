// Writes audit entries: links of a hash chain, with personal data beside it.
import type { Audit, Writer } from "../../realm.ts";
import type { AuditPart, AuditRow } from "../../schema/records-audit.ts";
import { type Actor, actor } from "../../server/actor.ts";
import { actsOf, watchedTables } from "./entries.ts";
import { digestOf, FIRST_HASH, linkOf, newestIn, WHERE, WORDS } from "./chain.ts";
import type { Act } from "./rules.ts";

/** Counters since the process started, for metrics. */
export const actCounts = new Map<string, number>();

/**
 * Runs at the end of every transaction: changes in observed tables are recorded in the same
 * transaction.
 */
export const audit: Audit = {
  tables: watchedTables,
  record(tx, changes) {
    const user = actor();
    const entries = actsOf(tx, changes, user);
    if (entries.length > 0) append(tx, user, entries);
    for (const { act } of entries) actCounts.set(act, (actCounts.get(act) ?? 0) + 1);
    for (const { act, on_id } of entries) if (act === "user_erased") empty(tx, Number(on_id));
  },
};

/** Records an action without a changed record, such as an export or a backup. */
export function recordAct(tx: Writer, entry: Act): void {
  append(tx, actor(), [entry]);
}

function append(tx: Writer, actor: Actor, entries: readonly Act[]): void {
  const newest = newestIn(tx);
  let [audit_id, before] = newest ? [newest.audit_id, newest.hash] : [0, FIRST_HASH];
  for (const { act, on, on_id, facts = {}, words = {} } of entries) {
    audit_id += 1;
    const subject_id = on === "user" ? Number(on_id) : null;
    const actor_id = actor.user_id ?? null;
    const row: Omit<AuditRow, "hash"> = {
      audit_id,
      time: tx.now,
      act,
      actor_id,
      via: actor.via,
      on,
      on_id,
      facts,
      words: storeText(tx, { audit_id, part: WORDS, user_id: subject_id }, words),
      where: storeText(tx, { audit_id, part: WHERE, user_id: actor_id ?? subject_id }, actor.where),
      before,
    };
    before = linkOf(row);
    tx.audit.put({ ...row, hash: before });
  }
}

/** Returns the digest for the chain. */
function storeText(
  tx: Writer,
  location: Pick<AuditPart, "audit_id" | "part" | "user_id">,
  values: Record<string, unknown>,
): string | null {
  if (Object.keys(values).length === 0) return null;
  const salt = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
  tx.audit_parts.put({ ...location, salt, values });
  return digestOf(salt, values);
}

/** Erases the data beside the chain about a user. */
function empty(tx: Writer, user_id: number): void {
  for (const part of [...tx.audit_parts.scanIndex("user", [user_id])]) {
    if (part.values !== null) tx.audit_parts.put({ ...part, salt: null, values: null });
  }
}
