// Lists the audit log, newest first, for administrators in a browser and for operators.
import Type, { type Static } from "typebox";
import { choice, dict, list, nullable, seconds } from "../../contract/shapes/value-types.ts";
import { defaulted, endpoint, nonNegativeInt, optional, text } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { AuditRow } from "../../schema/records-audit.ts";
import { WHERE, WORDS } from "./chain.ts";

const ACTS_MAX = 200;
/**
 * Maximum number of entries to read per request; with a rare filter, clients request the next page.
 */
const LOOKED_AT_MAX = 5_000;

const values = dict(Type.Unknown());
const actShape = Type.Object({
  id: Type.Integer(),
  time: seconds,
  act: Type.String(),
  /** `null` if no user was signed in. */
  actor_id: nullable(Type.Integer()),
  via: choice("browser", "api", "command", "job", "server"),
  on: Type.String(),
  on_id: nullable(Type.Union([Type.Integer(), Type.String()])),
  facts: values,
  /** `null` after they were erased with an account. */
  words: nullable(values),
  where: nullable(values),
});
export type AuditEntry = Static<typeof actShape>;

export interface AuditFilter {
  /** Entries by or about this user. */
  user_id?: number | undefined;
  act?: string | undefined;
  on?: string | undefined;
  on_id?: string | undefined;
  /** Time range. */
  since?: number | undefined;
  until?: number | undefined;
  /** If set, lists only entries older than this one. */
  before?: number | undefined;
  num: number;
}

interface AuditPage {
  acts: AuditEntry[];
  /** `before` of the next request; null at the end. */
  next: number | null;
}

export const getAudit = endpoint({
  summary: "List entries of the audit log",
  tag: "Organization",
  params: {
    user_id: optional(nonNegativeInt),
    act: optional(text),
    on: optional(text),
    on_id: optional(text),
    since: optional(nonNegativeInt),
    until: optional(nonNegativeInt),
    before: optional(nonNegativeInt),
    num: defaulted(nonNegativeInt, 50),
  },
  answer: Type.Object({ acts: list(actShape), next: nullable(Type.Integer()) }),
  run: ({ realm }, filter) => listActs(realm.read, filter),
});

export function listActs(reader: Reader, filter: AuditFilter): AuditPage {
  const num = Math.min(filter.num, ACTS_MAX);
  const to = filter.before === undefined ? {} : { to: [filter.before] };
  const entries: AuditEntry[] = [];
  let oldest = 0;
  let scanned = 0;
  for (const row of reader.audit.range({ ...to, reverse: true, limit: LOOKED_AT_MAX })) {
    if (filter.since !== undefined && row.time < filter.since) return { acts: entries, next: null };
    if (entries.length === num) return { acts: entries, next: oldest };
    oldest = row.audit_id;
    scanned += 1;
    if (matchesFilter(row, filter)) entries.push(actObject(reader, row));
  }
  return { acts: entries, next: scanned === LOOKED_AT_MAX ? oldest : null };
}

function matchesFilter(row: AuditRow, { user_id, act, on, on_id, until }: AuditFilter): boolean {
  if (until !== undefined && row.time > until) return false;
  if (act !== undefined && row.act !== act) return false;
  if (on !== undefined && row.on !== on) return false;
  if (on_id !== undefined && String(row.on_id) !== on_id) return false;
  return user_id === undefined || row.actor_id === user_id || isAbout(row, user_id);
}

function isAbout({ on, on_id, facts }: AuditRow, user_id: number): boolean {
  if (on === "user") return on_id === user_id;
  const { user_ids } = facts;
  return Array.isArray(user_ids) && user_ids.includes(user_id);
}

function actObject(reader: Reader, row: AuditRow): AuditEntry {
  const { audit_id: id, time, act, actor_id, via, on, on_id, facts } = row;
  const partOf = (digest: string | null, part: number) => {
    if (digest === null) return {};
    return reader.audit_parts.get(id, part)?.values ?? null;
  };
  const words = partOf(row.words, WORDS);
  const where = partOf(row.where, WHERE);
  return { id, time, act, actor_id, via, on, on_id, facts, words, where };
}
