// The data itself: whether it takes writes, whether all of it is as it was written, and its size.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { perRealm } from "../../realm.ts";
import { NoRoom } from "../../store/copy/copy.ts";
import { verifyChain } from "../audit/chain.ts";
import { Beside } from "../backup/work/beside.ts";
import { placesIn } from "../backup/work/places.ts";
import { blobsOf } from "../files/blobs.ts";
import { bad, type Check, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";
import { mendData } from "./mend.ts";

export const databaseChecks: readonly Check<Facts>[] = [
  { id: "database.writes", run: writes },
  { id: "database.rows", run: rows },
  { id: "database.files", run: files },
  { id: "database.audit", run: audit },
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
const SHOWN = 3;

/** One at a time, whoever asks: each needs as much room as the data. */
const walks = perRealm(() => ({ last: Promise.resolve() as Promise<unknown> }));

function rows(facts: Facts): Finding | Promise<Finding> {
  if (facts.is_quick) return undefined;
  const turn = walks(facts.realm);
  const mine = turn.last.then(() => walked(facts));
  turn.last = mine.catch(() => {});
  return mine;
}

/** Of a copy, as whoever walks over what changes finds faults that are none. */
async function walked({ realm }: Facts): Promise<Finding> {
  const copy = join(realm.config.data, "snapshots", COPY);
  try {
    rmSync(copy, { force: true });
    await realm.copyTo(copy);
    using beside = Beside.of(realm);
    const found = await beside.walk(copy, true);
    const { counts, damage } = found;
    const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
    if (damage.length === 0) return ok(`All ${count} records are whole, and found where they are.`);
    const words = `${damage.length} things are wrong in the data: ${listed(damage)}.`;
    const remedy =
      "skein doctor --fix for counters, numbers and indexes; where a row itself is damaged, " +
      "restore the newest backup into a new directory";
    return bad("fail", words, remedy, () => mendData(realm, found));
  } catch (error) {
    if (!(error instanceof NoRoom)) throw error;
    const words = "There is no room to copy the data, so that it was not walked.";
    return bad("warn", words, `make room: ${error.message}`);
  } finally {
    rmSync(copy, { force: true });
  }
}

const FILES_AT_ONCE = 100;
/** Of those in a bucket, and where it is to be quick. */
const SAMPLE = 200;

async function files({ realm, is_quick }: Facts): Promise<Finding> {
  if (!realm.read.realm.has(1)) return undefined;
  const named = [...placesIn(realm.read)].filter(({ is_derived }) => !is_derived);
  const isSample = is_quick || realm.config.bucket !== undefined;
  const step = isSample ? Math.max(1, Math.ceil(named.length / SAMPLE)) : 1;
  const looked = named.filter((_, at) => at % step === 0);
  const missing: string[] = [];
  for (let at = 0; at < looked.length; at += FILES_AT_ONCE) {
    const some = looked.slice(at, at + FILES_AT_ONCE);
    const found = await Promise.all(some.map(({ place }) => blobsOf(realm).find(place)));
    missing.push(...some.flatMap(({ place }, nth) => (found[nth] ? [] : [place])));
  }
  const of = looked.length === named.length ? "" : ` of ${named.length}`;
  if (missing.length === 0) return ok(`${looked.length}${of} files that the data names are there.`);
  const words = `${missing.length} of ${looked.length} files are missing: ${listed(missing)}.`;
  return bad("fail", words, "bring them back from a backup, into uploads or the bucket");
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

/** Who reads holds pages back from being used again; a process that died does so for ever. */
function readers({ realm }: Facts): Finding {
  const dropped = realm.dropReaders();
  if (dropped === 0) return ok("Nobody who is dead keeps old pages of the database.");
  return ok(`${dropped} readers that had died were let go.`);
}

function listed(words: readonly string[]): string {
  const more = words.length > SHOWN ? ` and ${words.length - SHOWN} more` : "";
  return `${words.slice(0, SHOWN).join("; ")}${more}`;
}
