// The tasks of an import in the browser: one at a time, and without a request that waits for it.
import { importBusy, importUploadIncomplete } from "../../../contract/errors/realm.ts";
import type { ImportUser } from "../../../contract/shapes/imports.ts";
import type { Realm } from "../../../realm.ts";
import { MovingPostponed, MovingRefused } from "../errors.ts";
import { isImporting } from "../exclusive-import.ts";
import type { ImportChoices } from "../products/import-jobs.ts";
import { type MovingReport, Reporting } from "../report.ts";
import type { Person } from "../import/users.ts";
import type { CommandsInstead } from "./new-organization.ts";
import { ARCHIVE_KEPT_SECONDS, IMPORT_USERS_MAX } from "./rules.ts";
import {
  accessUpload,
  currentOf,
  deleteUnnamed,
  forgetUpload,
  type PlanChoices,
  store,
  storedOf,
  storeEnd,
  type Task,
  type Upload,
  uploadPath,
} from "./state.ts";
import { receivedOf } from "./upload.ts";

/** Loaded with the first import, to keep the start fast. */
const imports = () => import("../products/import-jobs.ts");

/** @throws if another task runs, in the browser or by a command */
export function checkIsFree(realm: Realm): void {
  if (currentOf(realm).task || isImporting(realm)) throw importBusy();
}

/** @throws unless the whole archive is uploaded */
export function wholeUpload(realm: Realm): Upload {
  const upload = accessUpload(realm);
  const isWhole = receivedOf(realm, upload) === upload.size;
  if (!isWhole || currentOf(realm).isReceiving) throw importUploadIncomplete();
  return upload;
}

export function startPlan(realm: Realm, upload: Upload, choices: PlanChoices): void {
  let users: ImportUser[] = [];
  const from = uploadPath(realm, upload);
  start(realm, "plan", async () => {
    const { planImport } = await imports();
    const { commandsInstead } = await import("./new-organization.ts");
    const instead = await commandsInstead(from, upload.name);
    if (instead) return forgetUpload(realm, { report: refusedFor(upload, instead) }, storeEnd);
    const plan = await planImport(realm, { from, ...choices }, (people) => {
      users = people.slice(0, IMPORT_USERS_MAX).map(importUser);
    });
    if (plan.outcome === "refused") {
      forgetUpload(realm, { report: withoutPath(realm, plan) }, storeEnd);
    } else store(realm, { plan: withoutPath(realm, plan), choices, users });
  });
}

function refusedFor({ name }: Upload, instead: CommandsInstead): MovingReport {
  const reporting = new Reporting(instead.product, name);
  reporting.fault(NEEDS_NEW_ORGANIZATION);
  return { ...reporting.end("refused"), instead };
}

const NEEDS_NEW_ORGANIZATION =
  "The archive keeps the IDs of its accounts, channels and messages. Import it into a new data " +
  "directory with the commands in this report.";

const importUser = ({ key, full_name, email, role, is_bot, is_active }: Person): ImportUser => {
  return { source: key, full_name, email, role, is_bot, is_active };
};

/** An archive whose import was interrupted is kept, so that the import can be resumed. */
export function startRun(realm: Realm, upload: Upload, choices: ImportChoices): void {
  const from = uploadPath(realm, upload);
  start(realm, "run", async () => {
    const { runImport } = await imports();
    const report = withoutPath(realm, await runImport(realm, { from, ...choices }, true));
    if (report.outcome === "broken") store(realm, { report });
    else forgetUpload(realm, { report }, storeEnd);
  });
}

export function startUndo(realm: Realm, import_id: number): void {
  start(realm, "undo", async () => {
    const { undoImport } = await imports();
    store(realm, { report: withoutPath(realm, await undoImport(realm, import_id, true)) });
  });
}

/** The caller has called `checkIsFree`, and nothing since could start a task. */
function start(realm: Realm, task: Task, work: () => Promise<void>): void {
  const current = currentOf(realm);
  store(realm, { task, report: null });
  current.task = task;
  current.since_ms = realm.clock.awake();
  finish(realm, task, work).catch((error: Error) => {
    realm.onNote("the end of an import failed", { task, reason: error.message });
  });
}

async function finish(realm: Realm, task: Task, work: () => Promise<void>): Promise<void> {
  const current = currentOf(realm);
  try {
    await work();
    storeEnd(realm, {});
  } catch (error) {
    const { message } = error as Error;
    realm.onNote("an import failed", { task, reason: message });
    fail(realm, task, error as Error);
  } finally {
    current.task = undefined;
  }
}

const FAILED = "The server could not complete the task; its log says why. Start it again.";

/** Stores a report about the error. Deletes the archive if it is the cause. */
function fail(realm: Realm, task: Task, error: Error): void {
  const { upload } = storedOf(realm);
  const reporting = new Reporting("", upload?.name ?? "");
  reporting.fault(error instanceof MovingRefused ? error.message : FAILED);
  const isRefused = error instanceof MovingRefused && !(error instanceof MovingPostponed);
  const report = withoutPath(realm, reporting.end(isRefused ? "refused" : "broken"));
  if (isRefused && task !== "undo") forgetUpload(realm, { report }, storeEnd);
  else storeEnd(realm, { report });
}

/** Replaces the archive's path by its name, because only operators may see paths. */
function withoutPath(realm: Realm, report: MovingReport): MovingReport {
  const { upload } = storedOf(realm);
  if (!upload) return { ...report, path: "" };
  const path = uploadPath(realm, upload);
  const withName = (text: string) => text.replaceAll(path, upload.name);
  return { ...report, path: upload.name, faults: report.faults.map(withName) };
}

/** Deletes an archive that was not imported within a day, and those without a state. */
export async function purgeImportUpload(realm: Realm): Promise<void> {
  const { stored, task, isReceiving } = currentOf(realm);
  deleteUnnamed(realm);
  if (!stored.upload || task || isReceiving) return;
  if (stored.upload.created + ARCHIVE_KEPT_SECONDS <= realm.read.now) forgetUpload(realm);
}
