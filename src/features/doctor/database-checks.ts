// Checks the database: whether it accepts writes, whether it is intact, and its size.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { perRealm, type Realm } from "../../realm.ts";
import { tables } from "../../schema/schema.ts";
import { NoFreeSpace } from "../../store/copy/copy.ts";
import type { UnreadableRow } from "../../store/copy/walk.ts";
import type { TableReader } from "../../store/declare.ts";
import { sizeText } from "../../store/system/system-errors.ts";
import { verifyChain } from "../audit/chain.ts";
import { BackupWorker } from "../backup/work/run-worker.ts";
import { repairIndex } from "../search/repair-jobs.ts";
import { countOfFaults } from "../search/verify.ts";
import { bad, type Check, type Finding, listWords, ok } from "./check.ts";
import type { Facts } from "./facts.ts";
import { files } from "./files.ts";
import { repairData } from "./repair.ts";
import { canBeSetAside, setRowsAside } from "./quarantine.ts";

export const databaseChecks: readonly Check<Facts>[] = [
  { id: "database.writes", run: writes },
  { id: "database.rows", is_own: true, run: rows },
  { id: "database.search", is_own: true, run: search },
  { id: "database.files", is_own: true, run: files },
  { id: "database.audit", is_own: true, run: audit },
  { id: "database.space", run: space },
  { id: "database.readers", run: readers },
];

async function writes({ realm }: Facts): Promise<Finding> {
  const startedAt = realm.clock.awake();
  try {
    await realm.write(() => undefined);
    if (realm.refusal) throw realm.refusal;
  } catch (error) {
    const text = `Writes fail: ${(error as Error).message}.`;
    return bad("fail", text, "check the disk, and start the server again");
  }
  const ms = Math.round(realm.clock.awake() - startedAt);
  return ok(`Writes succeed and are durable after ${ms} ms.`);
}

const COPY = "doctor.mdb";
const SAMPLE_ROWS = 50;

function rows(facts: Facts): Finding | Promise<Finding> {
  return facts.is_quick ? checkSample(facts) : onCopy(facts, checkRows);
}

/** Reads the first and last rows of each table, which compares their checksums. */
function checkSample({ realm: { read } }: Facts): Finding {
  const damage = new Set<string>();
  const specs = Object.entries(tables) as [keyof typeof tables, { cached?: true }][];
  let count = 0;
  for (const [name, { cached }] of specs) {
    // Rows of cached tables were all read at the start.
    if (cached) continue;
    const table: Pick<TableReader<unknown>, "sound"> = read[name];
    for (const reverse of [false, true]) {
      const range = { reverse, limit: SAMPLE_ROWS };
      for (const _ of table.sound(({ message }) => damage.add(message), range)) count++;
    }
  }
  if (damage.size === 0) return ok(`A sample of ${count} records is intact.`);
  const text = `A sample of the data has ${damage.size} problems: ${listWords([...damage])}.`;
  return bad("fail", text, "to check all data, run skein doctor without --quick");
}

async function checkRows(realm: Realm, path: string, backupWorker: BackupWorker): Promise<Finding> {
  const walked = await backupWorker.walk(path, true);
  const { counts, damage, unreadable } = walked;
  const count = Object.values(counts).reduce((sum, item) => sum + item, 0);
  if (damage.length === 0) return ok(`All ${count} records are intact and in their indexes.`);
  const text = `The data has ${damage.length} problems: ${listWords(damage)}.`;
  const repair = async () => {
    await setRowsAside(realm, unreadable);
    await repairData(realm, walked);
  };
  return bad("fail", text, remedyFor(unreadable), () => repairData(realm, walked), repair);
}

/** Errors from the worker keep only their names. */
const isDamaged = (error: unknown) => (error as Error).name === "DatabaseDamaged";

const RESTORE = "restore the newest backup into a new directory";

function remedyFor(unreadable: readonly UnreadableRow[]): string {
  if (unreadable.some(canBeSetAside)) {
    return `${RESTORE}; or drop the damaged rows and keep their bytes aside: skein doctor --mend`;
  }
  if (unreadable.length > 0) return RESTORE;
  return `run skein doctor --fix for counters, numbers and indexes; for the rest ${RESTORE}`;
}

function search(facts: Facts): Finding | Promise<Finding> {
  return facts.is_deep ? onCopy(facts, compared) : undefined;
}

async function compared(realm: Realm, path: string, backupWorker: BackupWorker): Promise<Finding> {
  const faults = await backupWorker.search(path);
  const { messages, lost, strays } = faults;
  if (countOfFaults(faults) === 0)
    return ok(`Search finds all ${messages} messages by their words.`);
  const text =
    `Of ${messages} messages, search does not find ${lost.length} by all their words, and ` +
    `finds ${strays.length} by words that they do not contain.`;
  const remedy = "rebuild the search index: skein doctor --mend";
  return bad("fail", text, remedy, undefined, () => repairIndex(realm, faults));
}

type Inspection = (realm: Realm, path: string, backupWorker: BackupWorker) => Promise<Finding>;

/** Copies run in sequence, since each needs as much space as the data. */
const copies = perRealm(() => ({ last: Promise.resolve() as Promise<unknown> }));

/** Checks a copy, since changes during the check would look like faults. */
function onCopy({ realm }: Facts, inspection: Inspection): Promise<Finding> {
  const queue = copies(realm);
  const checked = queue.last.then(() => checkCopy(realm, inspection));
  queue.last = checked.catch(() => {});
  return checked;
}

async function checkCopy(realm: Realm, inspection: Inspection): Promise<Finding> {
  const path = join(realm.config.data, "snapshots", COPY);
  try {
    rmSync(path, { force: true });
    using backupWorker = BackupWorker.of(realm);
    await realm.copyTo(path, (from, to) => backupWorker.copy(from, to));
    return await inspection(realm, path, backupWorker);
  } catch (error) {
    if (isDamaged(error)) {
      const words = "The database file has damaged pages, so its rows were not read";
      return bad("fail", `${words}: ${(error as Error).message}.`, RESTORE);
    }
    if (!(error instanceof NoFreeSpace)) throw error;
    const words = "There is not enough disk space to copy the data, so it was not read.";
    return bad("warn", words, `free disk space: ${error.message}`);
  } finally {
    rmSync(path, { force: true });
  }
}

async function audit({ realm, is_quick }: Facts): Promise<Finding> {
  if (is_quick) return undefined;
  const { acts, faults } = await verifyChain(realm.read);
  if (faults.length === 0) return ok(`All ${acts} entries of the audit log are unchanged.`);
  const text = `The audit log was changed: ${listWords(faults)}.`;
  return bad(
    "fail",
    text,
    "find out who has write access to the disk; for details, run skein audit verify",
  );
}

/** Reclaiming less than this is not worth the effort. */
const RECLAIMABLE_BYTES_MIN = 64 * 1_048_576;

function space({ realm }: Facts): Finding {
  const { size_bytes, free_bytes } = realm.measure();
  const text = `${sizeText(free_bytes)} of the ${sizeText(size_bytes)} of the database are unused`;
  if (free_bytes <= RECLAIMABLE_BYTES_MIN || free_bytes * 2 <= size_bytes) return ok(`${text}.`);
  const remedy = "to free the space, stop the server and run skein db compact";
  return bad("warn", `${text}; new data will fill it.`, remedy);
}

/** Readers keep pages from being reused, and a crashed process would keep them forever. */
function readers({ realm }: Facts): Finding {
  const droppedReaders = realm.dropReaders();
  if (droppedReaders === 0) return ok("No stale readers in the database.");
  return ok(`${droppedReaders} stale readers were removed.`);
}
