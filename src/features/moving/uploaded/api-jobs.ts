// Endpoints for owners to plan, start, watch and undo an import of an uploaded archive.
import { mustBeOwner } from "../../../contract/errors/general.ts";
import {
  importNotPlanned,
  importOldUrlInvalid,
  importRefused,
  importReportMissing,
} from "../../../contract/errors/realm.ts";
import { importStateShape } from "../../../contract/shapes/imports.ts";
import { nothing } from "../../../contract/shapes/value-types.ts";
import { defaulted, endpoint, int, oneOf, optional, text } from "../../../endpoint.ts";
import type { Realm } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { recordAct } from "../../audit/record.ts";
import { isOwner } from "../../rights/rules.ts";
import { confirmationParams, confirmIdentity } from "../../two-factor/confirm.ts";
import { progressNow, secondsLeft } from "../import-progress.ts";
import { listRuns } from "../import-runs.ts";
import { isServerUrl } from "../source/links.ts";
import { mappedRows } from "./mapped-users-jobs.ts";
import { ARCHIVE_KEPT_SECONDS } from "./rules.ts";
import { checkArchive, currentOf, type PlanChoices, storedOf } from "./state.ts";
import { receivedOf } from "./upload.ts";
import { checkIsFree, startPlan, startRun, startUndo, wholeUpload } from "./jobs.ts";

export const getImport = endpoint({
  summary: "Get the state of an import",
  tag: "Organization",
  params: {},
  answer: importStateShape,
  run({ realm }) {
    const { upload, plan, choices, report } = storedOf(realm);
    return {
      upload: upload && {
        ...{
          archive: upload.key,
          name: upload.name,
          size: upload.size,
          received: receivedOf(realm, upload),
        },
        expires: upload.created + ARCHIVE_KEPT_SECONDS,
      },
      ...{ task: taskOf(realm), plan, choices, report },
      imports: listRuns(realm.read).map((run) => {
        const { import_id, product, state, started, finished, counts } = run;
        return { import_id, product, state, started, finished, counts };
      }),
    };
  },
});

function taskOf(realm: Realm) {
  const { stored, task, since_ms } = currentOf(realm);
  const kind = task ?? stored.task;
  if (!kind) return null;
  const progress = task === "run" ? progressNow() : undefined;
  const ms = realm.clock.awake() - since_ms;
  return {
    ...{ kind, is_interrupted: task === undefined },
    ...{ written: progress?.written ?? null, found: progress?.found ?? null },
    seconds_left: (progress && secondsLeft(progress.written, progress.found, ms)) ?? null,
  };
}

/** `keep`: roles as in the archive; `members`: every user becomes a member or a guest. */
const roles = defaulted(oneOf("keep", "members"), "members");
/** Applies to channels whose readers the archive does not name. */
const channels = defaulted(oneOf("public", "private"), "private");

export const planUploadedImport = endpoint({
  summary: "Check an uploaded archive, and find out what an import would do",
  tag: "Organization",
  params: { roles, channels, old_url: optional(text) },
  answer: nothing,
  run({ realm }, { old_url, ...choices }) {
    const upload = wholeUpload(realm);
    if (old_url !== undefined && !isServerUrl(old_url)) throw importOldUrlInvalid();
    checkIsFree(realm);
    startPlan(realm, upload, { ...choices, ...(old_url !== undefined && { old_url }) });
    return {};
  },
});

export const runUploadedImport = endpoint({
  summary: "Import an uploaded archive, or resume an interrupted import",
  tag: "Organization",
  params: { archive: text, ...confirmationParams },
  answer: nothing,
  async run(context, { archive, ...confirmation }) {
    const { realm } = context;
    wholeUpload(realm);
    checkArchive(realm, archive);
    checkIsPlanned(realm);
    checkIsFree(realm);
    const actor = await confirmIdentity(context, confirmation);
    await realm.write((tx) => {
      checkIsOwner(actor(tx));
      recordAct(tx, {
        act: "import_started",
        on: "organization",
        on_id: tx.realm.get(1)!.realm_id,
      });
    });
    // Another request may have started meanwhile.
    const upload = wholeUpload(realm);
    checkArchive(realm, archive);
    const choices = checkIsPlanned(realm);
    checkIsFree(realm);
    startRun(realm, upload, { ...choices, people: mappedRows(realm) });
    return {};
  },
});

/** The owner may have lost the role while the password was checked. */
function checkIsOwner(user: User): void {
  if (!isOwner(user)) throw mustBeOwner();
}

/** Returns the choices of the plan. */
function checkIsPlanned(realm: Realm): PlanChoices {
  const { plan, choices } = storedOf(realm);
  if (!plan || !choices) throw importNotPlanned();
  return choices;
}

export const undoUploadedImport = endpoint({
  summary: "Undo an import",
  tag: "Organization",
  params: { import_id: int, ...confirmationParams },
  answer: nothing,
  async run(context, { import_id, ...confirmation }) {
    const { realm } = context;
    checkUndo(realm, import_id);
    const actor = await confirmIdentity(context, confirmation);
    await realm.write((tx) => {
      checkIsOwner(actor(tx));
      recordAct(tx, { act: "import_undone", on: "organization", on_id: tx.realm.get(1)!.realm_id });
    });
    checkUndo(realm, import_id);
    startUndo(realm, import_id);
    return {};
  },
});

function checkUndo(realm: Realm, import_id: number): void {
  const run = realm.read.imports.get(import_id);
  if (!run) throw importRefused(`There is no import ${import_id}.`);
  if (run.state === "undone") throw importRefused(`Import ${import_id} was already undone.`);
  checkIsFree(realm);
}

export const downloadImportReport = endpoint({
  summary: "Download the report of the newest import or undo",
  tag: "Organization",
  params: {},
  run({ realm }) {
    const { report, plan } = storedOf(realm);
    const displayed = report ?? plan;
    if (!displayed) throw importReportMissing();
    return new Response(`${JSON.stringify(displayed, null, 2)}\n`, {
      headers: {
        "Content-Type": "application/json",
        "Content-Disposition": 'attachment; filename="skein-import-report.json"',
        "Cache-Control": "private, no-store",
      },
    });
  },
});
