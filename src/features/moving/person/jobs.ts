// Writes the exports that users requested of their own data one by one, and deletes old ones.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Realm } from "../../../realm.ts";
import type { DueJob } from "../../../schema/records.ts";
import type { PersonExport } from "../../../schema/records-moving.ts";
import {
  abandonedWork,
  exportsDirectory,
  PERSON_FILE,
  personArchivePath,
  personWorkPath,
} from "../../realm/export-paths.ts";
import { PERSON_EXPORT_KEPT_SECONDS } from "./rules.ts";

export const PERSON_EXPORTS_AT_ONCE = 1;
const ROOT = "skein-my-data";

/** After a crash, the export is written again from the start. */
export async function writePersonExport(realm: Realm, { payload }: DueJob): Promise<void> {
  const { user_id } = payload as { user_id: number };
  const row = realm.read.person_exports.get(user_id);
  if (!row || !isUnderWay(row.state)) return;
  await setState(realm, row, "started");
  const archive = personArchivePath(realm, row);
  const work = personWorkPath(realm, row);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(exportsDirectory(realm), { recursive: true, mode: 0o700 });
  try {
    const folder = join(work, "files");
    const { exportPerson } = await import("./export.ts");
    await exportPerson(realm, folder, user_id);
    const packed = join(work, "packed");
    const { zipFolder } = await import("../archive/zip-writer.ts");
    await zipFolder(folder, packed, ROOT, realm.read.now);
    renameSync(packed, archive);
    await setState(realm, row, "ready");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    realm.onNote("an export failed", { user_id, reason });
    await setState(realm, row, "failed");
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Does nothing if another request has replaced the row, or if the account was erased. */
function setState(realm: Realm, { user_id, key }: PersonExport, state: PersonExport["state"]) {
  return realm.write((tx) => {
    const row = tx.person_exports.get(user_id);
    if (row?.key !== key) return;
    const endedAt = state === "started" ? null : tx.now;
    tx.person_exports.put({ ...row, state, ended: endedAt });
  });
}

const isUnderWay = (state: PersonExport["state"]) => state === "requested" || state === "started";

/** Also deletes files of erased accounts, and files that killed processes left. */
export async function purgePersonExports(realm: Realm): Promise<void> {
  const before = realm.read.now - PERSON_EXPORT_KEPT_SECONDS;
  await realm.write((tx) => {
    for (const { user_id, ended } of [...tx.person_exports.range()]) {
      if (ended !== null && ended <= before) tx.person_exports.delete(user_id);
    }
  });
  const directory = exportsDirectory(realm);
  if (!existsSync(directory)) return;
  const rows = [...realm.read.person_exports.range()];
  const archiveNames = new Set(rows.map(({ key }) => `${PERSON_FILE}${key}.zip`));
  for (const name of readdirSync(directory)) {
    const isOld = name.startsWith(PERSON_FILE) && !archiveNames.has(name.replace(/\.new$/, ""));
    if (isOld) rmSync(join(directory, name), { recursive: true, force: true });
  }
  const pendingRows = rows.filter(({ state }) => isUnderWay(state));
  const underWay = new Set(pendingRows.map((row) => personWorkPath(realm, row)));
  for (const path of abandonedWork(realm, true, underWay)) {
    rmSync(path, { recursive: true, force: true });
  }
}
