// The data itself: whether it takes writes, whether all of it is as it was written, and its size.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { perRealm, type Realm } from "../../realm.ts";
import { tables } from "../../schema/schema.ts";
import { NoRoom } from "../../store/copy/copy.ts";
import type { UnreadableRow } from "../../store/copy/walk.ts";
import type { TableReader } from "../../store/declare.ts";
import { verifyChain } from "../audit/chain.ts";
import { Beside } from "../backup/work/beside.ts";
import { mendIndex } from "../search/mend-later.ts";
import { countOfFaults } from "../search/verify.ts";
import { bad, type Check, type Finding, listed, ok } from "./check.ts";
import type { Facts } from "./facts.ts";
import { files } from "./files.ts";
import { mendData } from "./mend.ts";
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
  const begun = realm.clock.awake();
  try {
    await realm.write(() => undefined);
    if (realm.refusal) throw realm.refusal;
  } catch (error) {
    const words = `Nothing can be written: ${(error as Error).message}.`;
    return bad("fail", words, "look after the disk, and start the server again");
  }
  const ms = Math.round(realm.clock.awake() - begun);
  return ok(`Writes are taken, and durable after ${ms} ms.`);
}

const COPY = "doctor.mdb";
const SAMPLE_ROWS = 50;

function rows(facts: Facts): Finding | Promise<Finding> {
  return facts.is_quick ? sampled(facts) : onCopy(facts, walked);
}

/** Reads the first and last rows of each table, which compares their checksums. */
function sampled({ realm: { read } }: Facts): Finding {
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
  if (damage.size === 0) return ok(`A sample of ${count} records is whole.`);
  const words = `${damage.size} things are wrong in a sample of the data: ${listed([...damage])}.`;
  return bad("fail", words, "see all of it: skein doctor, without --quick");
}

async function walked(realm: Realm, path: string, beside: Beside): Promise<Finding> {
  const found = await beside.walk(path, true);
  const { counts, damage, unreadable } = found;
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  if (damage.length === 0) return ok(`All ${count} records are whole, and found where they are.`);
  const words = `${damage.length} things are wrong in the data: ${listed(damage)}.`;
  const repair = async () => {
    await setRowsAside(realm, unreadable);
    await mendData(realm, found);
  };
  return bad("fail", words, remedyFor(unreadable), () => mendData(realm, found), repair);
}

/** Errors of the worker have their names alone. */
const isDamaged = (error: unknown) => (error as Error).name === "DatabaseDamaged";

const RESTORE = "restore the newest backup into a new directory";

function remedyFor(unreadable: readonly UnreadableRow[]): string {
  if (unreadable.some(canBeSetAside)) {
    return `${RESTORE}; or lose what is damaged, and keep its bytes apart: skein doctor --mend`;
  }
  if (unreadable.length > 0) return RESTORE;
  return `skein doctor --fix for counters, numbers and indexes; for what is left ${RESTORE}`;
}

function search(facts: Facts): Finding | Promise<Finding> {
  return facts.is_deep ? onCopy(facts, compared) : undefined;
}

async function compared(realm: Realm, path: string, beside: Beside): Promise<Finding> {
  const faults = await beside.search(path);
  const { messages, lost, strays } = faults;
  if (countOfFaults(faults) === 0)
    return ok(`Search finds all ${messages} messages by their words.`);
  const words =
    `Of ${messages} messages search does not find ${lost.length} by all their words, and ` +
    `finds some ${strays.length} times by words that they do not have.`;
  const remedy = "put the search index right: skein doctor --mend";
  return bad("fail", words, remedy, undefined, () => mendIndex(realm, faults));
}

type Look = (realm: Realm, path: string, beside: Beside) => Promise<Finding>;

/** One copy at a time, since each needs as much space as the data. */
const copies = perRealm(() => ({ last: Promise.resolve() as Promise<unknown> }));

/** Checks a copy, since changes during the check would look like faults. */
function onCopy({ realm }: Facts, look: Look): Promise<Finding> {
  const turn = copies(realm);
  const mine = turn.last.then(() => copied(realm, look));
  turn.last = mine.catch(() => {});
  return mine;
}

async function copied(realm: Realm, look: Look): Promise<Finding> {
  const path = join(realm.config.data, "snapshots", COPY);
  try {
    rmSync(path, { force: true });
    using beside = Beside.of(realm);
    await realm.copyTo(path, (from, to) => beside.copy(from, to));
    return await look(realm, path, beside);
  } catch (error) {
    if (isDamaged(error)) {
      const words = "The database file is damaged in its pages, so its rows were not read";
      return bad("fail", `${words}: ${(error as Error).message}.`, RESTORE);
    }
    if (!(error instanceof NoRoom)) throw error;
    const words = "There is no room to copy the data, so that it was not walked.";
    return bad("warn", words, `make room: ${error.message}`);
  } finally {
    rmSync(path, { force: true });
  }
}

async function audit({ realm, is_quick }: Facts): Promise<Finding> {
  if (is_quick) return undefined;
  const { acts, faults } = await verifyChain(realm.read);
  if (faults.length === 0) return ok(`All ${acts} acts of the audit log are as they were written.`);
  const words = `The audit log was changed: ${listed(faults)}.`;
  return bad("fail", words, "find out who could write to the disk; skein audit verify says more");
}

/** Less than that is not worth an hour of anybody. */
const WORTH_BYTES = 64 * 1_048_576;
const MIB = 1_048_576;

function space({ realm }: Facts): Finding {
  const { size_bytes, free_bytes } = realm.measure();
  const [size, free] = [size_bytes, free_bytes].map((bytes) => Math.ceil(bytes / MIB));
  const words = `Of ${size} MiB of the database ${free} MiB hold nothing`;
  if (free_bytes <= WORTH_BYTES || free_bytes * 2 <= size_bytes) return ok(`${words}.`);
  const remedy = "stop the server and give it back to the disk: skein db compact";
  return bad("warn", `${words}; it is used again.`, remedy);
}

/** Readers keep pages from being reused, and a crashed process would keep them forever. */
function readers({ realm }: Facts): Finding {
  const dropped = realm.dropReaders();
  if (dropped === 0) return ok("Nobody who is dead keeps old pages of the database.");
  return ok(`${dropped} readers that had died were let go.`);
}
