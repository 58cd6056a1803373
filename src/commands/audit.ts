// `skein audit`: lists administrative actions and verifies the audit log.
import { DEFAULT_DATA } from "../contract/config.ts";
import type { ShownAct } from "../features/audit/list.ts";
import { carryOut } from "./control.ts";
import { command, CommandError, UsageError } from "./flags.ts";

const data = { value: "DIR", default: DEFAULT_DATA, about: "the data directory" } as const;
/** Number of entries per page. */
const ACTS_AT_ONCE = 200;

export const listAudit = command({
  about: "lists the audit log, newest entries first",
  examples: [
    "skein audit list --who ada@example.org --since 2026-11-01",
    "skein audit list --act signed_in --limit 0 --json",
  ],
  flags: {
    data,
    who: { value: "EMAIL", about: "only what this person did, or what was done to them" },
    act: { value: "ACT", about: "only this, such as user_role_changed" },
    on: { value: "KIND", about: "only what was done to such a thing, or KIND:ID to this one" },
    since: { value: "TIME", about: "only from then on, such as 2026-11-20 or 2026-11-20T15:00Z" },
    until: { value: "TIME", about: "only up to then" },
    limit: { value: "COUNT", default: "50", about: "at most so many; 0 is all" },
    json: { about: "prints a line of JSON for each" },
  },
  async run(flags) {
    const [on, on_id] = flags.on?.split(":", 2) ?? [];
    const [since, until] = [timeIn(flags.since, "--since"), timeIn(flags.until, "--until")];
    const wanted = { email: flags.who, act: flags.act, on, on_id, since, until };
    let left = countIn(flags.limit);
    for (let before: number | undefined; left > 0;) {
      const num = Math.min(left, ACTS_AT_ONCE);
      const told = await carryOut(flags.data, "listActs", { ...wanted, before, num });
      for (const act of told.acts) console.log(flags.json ? JSON.stringify(act) : lineOf(act));
      left -= told.acts.length;
      if (told.next === null) break;
      before = told.next;
    }
  },
});

export const verifyAudit = command({
  about: "verifies that the audit log was not changed",
  examples: ["skein audit verify", "skein audit verify --json"],
  flags: {
    data,
    seen: { value: "ID:HASH", about: "an act and its hash, as an earlier look told them" },
    json: { about: "prints what was found as JSON" },
  },
  notes: `Each act has a hash over itself and the one before. Whoever could write to the disk could
make all of them anew: note the newest hash elsewhere, and ask for it later by --seen.`,
  async run(flags) {
    const found = await carryOut(flags.data, "verifyActs", seenIn(flags.seen));
    if (flags.json) console.log(JSON.stringify(found));
    const { acts, emptied, newest_id, newest_hash, faults } = found;
    if (faults.length > 0) throw new CommandError(`the log was changed: ${faults.join("; ")}`);
    if (flags.json) return;
    const bare = emptied === 0 ? "" : ` ${emptied} were emptied, as accounts were erased.`;
    console.log(`All ${acts} acts are as they were written.${bare}`);
    if (newest_hash !== null) console.log(`The newest: ${newest_id}:${newest_hash}`);
  },
});

function lineOf({ id, time, act, actor_id, via, on, on_id, facts, words, where }: ShownAct) {
  const who = actor_id === null ? via : `user ${actor_id} (${via})`;
  const what = on_id === null ? on : `${on} ${on_id}`;
  const more = { ...facts, ...(words ?? { words: "emptied" }), ...where };
  const said = Object.entries(more).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const at = new Date(time * 1000).toISOString().slice(0, 19).replace("T", " ");
  return `${id}  ${at}  ${who}  ${act}  ${what}  ${said.join(" ")}`.trimEnd();
}

function timeIn(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new UsageError(`${flag} is a time, such as 2026-11-20`);
  return Math.floor(ms / 1000);
}

function countIn(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError("--limit is a number, such as 50");
  return Number(text) || Infinity;
}

function seenIn(text: string | undefined) {
  if (text === undefined) return {};
  const [id = "", hash = ""] = text.split(":", 2);
  if (!/^\d{1,15}$/.test(id) || !/^[0-9a-f]{64}$/.test(hash)) {
    throw new UsageError("--seen is an act and its hash, as in 12:6c1f…, both in full");
  }
  return { audit_id: Number(id), hash };
}
