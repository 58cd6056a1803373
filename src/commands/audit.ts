// `skein audit`: lists administrative actions and verifies the audit log.
import { DEFAULT_DATA } from "../contract/config.ts";
import type { AuditEntry } from "../features/audit/list.ts";
import { executeCommand } from "./control.ts";
import { command, CommandError, UsageError } from "./flags.ts";

const data = { value: "DIR", default: DEFAULT_DATA, description: "the data directory" } as const;
/** Number of entries per page. */
const ACTS_AT_ONCE = 200;

export const listAudit = command({
  description: "lists the audit log, newest entries first",
  examples: [
    "skein audit list --user ada@example.org --since 2026-11-01",
    "skein audit list --action signed_in --limit 0 --json",
  ],
  flags: {
    data,
    user: { value: "EMAIL", description: "show only actions by or on this user" },
    action: { value: "ACTION", description: "show only this action, such as user_role_changed" },
    on: {
      value: "KIND",
      description: "show only actions on this kind of object, or with KIND:ID on one object",
    },
    since: {
      value: "TIME",
      description: "show only actions since this time, such as 2026-11-20 or 2026-11-20T15:00Z",
    },
    until: { value: "TIME", description: "show only actions until this time" },
    limit: { value: "COUNT", default: "50", description: "maximum number of actions; 0 for all" },
    json: { description: "print one JSON object per line" },
  },
  async run(flags) {
    const [on, on_id] = flags.on?.split(":", 2) ?? [];
    const [since, until] = [timeIn(flags.since, "--since"), timeIn(flags.until, "--until")];
    const filter = { email: flags.user, act: flags.action, on, on_id, since, until };
    let remaining = countIn(flags.limit);
    for (let before: number | undefined; remaining > 0;) {
      const num = Math.min(remaining, ACTS_AT_ONCE);
      const auditPage = await executeCommand(flags.data, "listActs", { ...filter, before, num });
      for (const act of auditPage.acts) console.log(flags.json ? JSON.stringify(act) : lineOf(act));
      remaining -= auditPage.acts.length;
      if (auditPage.next === null) break;
      before = auditPage.next;
    }
  },
});

export const verifyAudit = command({
  description: "verifies that the audit log was not changed",
  examples: ["skein audit verify", "skein audit verify --json"],
  flags: {
    data,
    seen: {
      value: "ID:HASH",
      description:
        "an action and its hash, as printed by an earlier run; checks that it is unchanged",
    },
    json: { description: "print the result as JSON" },
  },
  notes: `Each entry has a hash of itself and of the entry before it. An attacker who can write
to the disk can recompute all hashes. To detect that, store the newest hash elsewhere, and
pass it with --seen later.`,
  async run(flags) {
    const verified = await executeCommand(flags.data, "verifyActs", seenIn(flags.seen));
    if (flags.json) console.log(JSON.stringify(verified));
    const { acts, emptied, newest_id, newest_hash, faults } = verified;
    if (faults.length > 0)
      throw new CommandError(`the audit log was changed: ${faults.join("; ")}`);
    if (flags.json) return;
    const stripped = emptied === 0 ? "" : ` ${emptied} were emptied when accounts were erased.`;
    console.log(`All ${acts} entries are unchanged.${stripped}`);
    if (newest_hash !== null) console.log(`Newest entry: ${newest_id}:${newest_hash}`);
  },
});

function lineOf({ id, time, act, actor_id, via, on, on_id, facts, words, where }: AuditEntry) {
  const userName = actor_id === null ? via : `user ${actor_id} (${via})`;
  const label = on_id === null ? on : `${on} ${on_id}`;
  const more = { ...facts, ...(words ?? { words: "emptied" }), ...where };
  const entries = Object.entries(more).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const timeText = new Date(time * 1000).toISOString().slice(0, 19).replace("T", " ");
  return `${id}  ${timeText}  ${userName}  ${act}  ${label}  ${entries.join(" ")}`.trimEnd();
}

function timeIn(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new UsageError(`${flag} must be a time, such as 2026-11-20`);
  return Math.floor(ms / 1000);
}

function countIn(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError("--limit must be a number, such as 50");
  return Number(text) || Infinity;
}

function seenIn(text: string | undefined) {
  if (text === undefined) return {};
  const [id = "", hash = ""] = text.split(":", 2);
  if (!/^\d{1,15}$/.test(id) || !/^[0-9a-f]{64}$/.test(hash)) {
    throw new UsageError("--seen must be an entry's number and its full hash, such as 12:6c1f…");
  }
  return { audit_id: Number(id), hash };
}
