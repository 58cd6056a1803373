// Checks that the files which the data refers to exist and, in a deep check, are unchanged.
import type { Realm } from "../../realm.ts";
import { referencedPaths } from "../backup/work/file-paths.ts";
import { blobsOf } from "../files/blobs.ts";
import { digestOf } from "../files/digest.ts";
import type { StoredBlob } from "../files/blob-store.ts";
import { blobName } from "../files/blob-names.ts";
import { bad, type Finding, listWords, ok } from "./check.ts";
import type { Facts } from "./facts.ts";
import { setFilesAside } from "./quarantine.ts";

const FILES_AT_ONCE = 100;
/** Number of files in a bucket that a quick check looks at. */
const SAMPLE = 200;

export async function files(facts: Facts): Promise<Finding> {
  const { realm, is_quick, is_deep } = facts;
  if (!realm.read.realm.has(1)) return undefined;
  const references = [...referencedPaths(realm.read)].filter(({ is_derived }) => !is_derived);
  const isInSample = is_quick || (realm.config.bucket !== undefined && !is_deep);
  const step = isInSample ? Math.max(1, Math.ceil(references.length / SAMPLE)) : 1;
  const sampled = references.filter((_, index) => index % step === 0).map(({ path }) => path);
  const absent: string[] = [];
  for (let index = 0; index < sampled.length; index += FILES_AT_ONCE) {
    const batch = sampled.slice(index, index + FILES_AT_ONCE);
    const foundFiles = await Promise.all(batch.map((path) => blobsOf(realm).find(path)));
    absent.push(...batch.filter((_, nth) => !foundFiles[nth]));
  }
  const changedPaths = is_deep ? await changedFiles(realm) : [];
  const ofTotal = sampled.length === references.length ? "" : ` of ${references.length}`;
  const back = "restore them from a backup into uploads or the bucket";
  if (changedPaths.length > 0) {
    const label = absent.length > 0 ? `, and ${absent.length} are missing` : "";
    const listedFiles = `${listWords(changedPaths)}${label}`;
    const text = `${changedPaths.length} files differ from the uploaded ones: ${listedFiles}.`;
    const remedy = `${back}; or move them aside, so that they are not served: skein doctor --mend`;
    return bad("fail", text, remedy, undefined, () => setFilesAside(realm, changedPaths));
  }
  if (absent.length > 0) {
    const text = `${absent.length} of ${sampled.length} files are missing: ${listWords(absent)}.`;
    return bad("fail", text, back);
  }
  const and = is_deep ? " and unchanged" : "";
  return ok(`${sampled.length}${ofTotal} files in the data are present${and}.`);
}

/** Compares files by digest; those of earlier versions by size. */
async function changedFiles(realm: Realm): Promise<string[]> {
  const changedPaths: string[] = [];
  for (const { path_id, size, sha256 } of [...realm.read.attachments.range()]) {
    const path = blobName(path_id);
    const retained = await blobsOf(realm).find(path);
    if (retained && !(await matchesRecord(retained, size, sha256))) changedPaths.push(path);
  }
  return changedPaths;
}

async function matchesRecord(
  retained: StoredBlob,
  size: number,
  sha256: string | undefined,
): Promise<boolean> {
  if (retained.size !== size) return false;
  return sha256 === undefined || (await digestOf(await retained.body())) === sha256;
}
