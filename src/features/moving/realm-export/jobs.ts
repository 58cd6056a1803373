// Writes requested exports one by one, and deletes old ones.
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DAY_SECONDS } from "../../../contract/units.ts";
import type { Realm } from "../../../realm.ts";
import type { DueJob } from "../../../schema/records.ts";
import type { RealmExport } from "../../../schema/records-moving.ts";
import { discardExport, endExport } from "./actions.ts";
import {
  abandonedWork,
  archivePath,
  exportsDirectory,
  workPath,
} from "../../realm/export-paths.ts";
import { EXPORT_KEPT_DAYS } from "./rules.ts";
import { exportFile } from "./wire.ts";

/** Writing one export loads the disk and database heavily, so others wait. */
export const EXPORTS_AT_ONCE = 1;

/** After a crash, the export is written again from the start. */
export async function writeExport(realm: Realm, { payload }: DueJob): Promise<void> {
  const { export_id } = payload as { export_id: number };
  const row = realm.read.realm_exports.get(export_id);
  if (!row || !isUnderWay(row.state)) return;
  await realm.write((tx) => endExport(tx, export_id, "started"));
  const [work, archive] = [workPath(realm, row), archivePath(realm, row)];
  rmSync(work, { recursive: true, force: true });
  mkdirSync(exportsDirectory(realm), { recursive: true, mode: 0o700 });
  try {
    const folder = join(work, "files");
    const { exportZulip } = await import("../zulip/write/export.ts");
    await exportZulip(realm, folder, { kind: row.export_type });
    const packed = join(work, "packed");
    const { packFolder } = await import("./pack.ts");
    await packFolder(folder, packed, exportFile(export_id).replace(".tar.gz", ""), realm.read.now);
    renameSync(packed, archive);
    await realm.write((tx) => endExport(tx, export_id, "succeeded"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    realm.onNote("an export failed", { export_id, reason });
    await realm.write((tx) => endExport(tx, export_id, "failed"));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const isUnderWay = (state: RealmExport["state"]) => state === "requested" || state === "started";

/** Also deletes the files of processes that were killed while they wrote an export. */
export async function purgeExports(realm: Realm): Promise<void> {
  const before = realm.read.now - EXPORT_KEPT_DAYS * DAY_SECONDS;
  for (const row of [...realm.read.realm_exports.range()]) {
    if (row.state !== "succeeded" || (row.ended ?? 0) > before) continue;
    await discardExport(realm, row.export_id);
  }
  const rows = [...realm.read.realm_exports.range()].filter(({ state }) => isUnderWay(state));
  const underWay = new Set(rows.map((row) => workPath(realm, row)));
  for (const path of abandonedWork(realm, false, underWay)) {
    rmSync(path, { recursive: true, force: true });
  }
}
