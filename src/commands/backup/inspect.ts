// `skein backup list`, `verify` and `prune`: inspects and prunes backups.
import { checkExists } from "../../features/backup/check-location.ts";
import { pruneSets } from "../../features/backup/prune.ts";
import { bytesOf, readManifest, readSet, setNames } from "../../features/backup/sets.ts";
import { BackupFailed, type Target } from "../../features/backup/work/target.ts";
import { openTarget } from "../../features/backup/targets-outbound.ts";
import { type VerifiedSet, verifySets } from "../../features/backup/verify.ts";
import { sizeText } from "../../store/system/system-errors.ts";
import { command, CommandError, type Values } from "../flags.ts";
import {
  countsText,
  data,
  DEFAULT_KEEP_TEXT,
  from,
  identity,
  identityOf,
  keepIn,
  LOCATION_NOTES,
  locationFlags,
  locationIn,
} from "./location.ts";

const flags = {
  from,
  ...locationFlags,
  json: { description: "print one JSON object per line" },
} as const;

function targetOf(input: Values<typeof flags>): Target {
  const location = locationIn(input.from, input);
  checkExists(location);
  return openTarget(location, data.default);
}

export const listBackups = command({
  description: "lists the backups in a location",
  examples: ["skein backup list --from /mnt/backups"],
  flags: { ...flags, identity },
  notes: LOCATION_NOTES,
  async run(input) {
    const target = targetOf(input);
    const key = await identityOf(input.identity);
    const names = await setNames(target);
    if (names.length === 0 && !input.json) console.log(`There is no backup in ${target.name}.`);
    for (const id of names) {
      const row = await describeSet(target, id, key);
      if (input.json) console.log(JSON.stringify(row));
      else console.log(`${id}  ${row.words}`);
    }
  },
});

async function describeSet(target: Target, id: string, key?: string) {
  try {
    const set = await readSet(target, id);
    const { created, is_whole, is_encrypted } = set;
    const facts = { id, created, is_whole, is_encrypted, bytes: bytesOf(set) };
    const state = `${is_whole ? "" : ", incomplete"}${is_encrypted ? ", encrypted" : ""}`;
    const size = `${sizeText(facts.bytes)}${state}`;
    if (is_encrypted && key === undefined) return { ...facts, words: size };
    const { counts, files } = await readManifest(target, set, is_encrypted ? key : undefined);
    return { ...facts, counts, words: `${size}: ${countsText(counts, files.length)}` };
  } catch (error) {
    if (!(error instanceof BackupFailed)) throw error;
    return { id, words: error.message };
  }
}

export const verifyBackups = command({
  description: "verifies backups completely, and lists what is damaged or missing",
  examples: ["skein backup verify --from /mnt/backups"],
  flags: {
    ...flags,
    set: { value: "SET", description: "the set to verify (default: all)" },
    identity,
  },
  notes: `${LOCATION_NOTES}
With --identity, the contents of encrypted sets are verified too, not only their checksums.`,
  async run(input) {
    const key = await identityOf(input.identity);
    const target = targetOf(input);
    const verified = await verifySets(target, { id: input.set, identity: key });
    for (const { id, faults, restores } of verified) {
      if (input.json) console.log(JSON.stringify({ id, faults, restores }));
      else console.log(`${id}  ${wordsFor(faults, restores)}`);
    }
    const bad = verified.filter(({ faults }) => faults.length > 0);
    if (verified.length === 0) throw new CommandError(`there is no backup in ${target.name}`);
    if (bad.length === 0) return;
    throw new CommandError(
      `${bad.length} of ${verified.length} sets are damaged. ${adviceOn(verified)}`,
    );
  },
});

function wordsFor(faults: readonly string[], restores: VerifiedSet["restores"]): string {
  if (restores === "everything") return "good";
  const all = faults.join("; ");
  if (restores === "nothing") return `cannot be restored: ${all}`;
  return `can be restored without its damaged files, with --keep-going: ${all}`;
}

function adviceOn(verified: readonly VerifiedSet[]): string {
  const newest = (kind: VerifiedSet["restores"]) => {
    return verified.findLast(({ restores }) => restores === kind)?.id;
  };
  const [complete, partly] = [newest("everything"), newest("the rest")];
  const rest =
    partly &&
    `skein restore --keep-going --set ${partly} restores everything except the damaged files`;
  const remedy =
    complete === undefined
      ? `None can be restored completely${rest ? `; ${rest}` : ""}.`
      : `The newest set that can be restored completely is ${complete}.`;
  return `${remedy} To make a new set that does not depend on them: skein backup run --resend`;
}

export const pruneBackups = command({
  description: "deletes the backups that the retention policy does not keep",
  examples: ["skein backup prune --from /mnt/backups --keep 7,5,12"],
  flags: {
    ...flags,
    keep: {
      value: "DAYS,WEEKS,MONTHS",
      default: DEFAULT_KEEP_TEXT,
      description:
        "days, weeks and months whose newest complete set is kept; the newest set always is",
    },
  },
  notes: LOCATION_NOTES,
  async run(input) {
    const retentionRule = keepIn(input.keep);
    const pruned = await pruneSets(targetOf(input), retentionRule, Math.floor(Date.now() / 1000));
    const { kept: retained, deleted, files, unreadable } = pruned;
    if (input.json) console.log(JSON.stringify(pruned));
    else
      console.log(
        `Deleted ${deleted.length} sets and ${files} files; kept ${retained.length} sets.`,
      );
    if (unreadable.length === 0) return;
    const text = `cannot read ${unreadable.join(", ")}, so no file was deleted`;
    throw new CommandError(`${text}. Restore the set's file, or delete it`);
  },
});
