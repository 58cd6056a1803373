// Plans, runs and undoes imports into an organization, for commands and for the browser.
import type { Realm } from "../../../realm.ts";
import { FORMAT, isJsonlExport } from "../jsonl/format.ts";
import { importJsonl, planJsonl } from "../jsonl/import-jobs.ts";
import { undoJsonl } from "../jsonl/undo.ts";
import { PeopleMap, type Roles } from "../people-map.ts";
import { MovingRefused } from "../errors.ts";
import { exclusively } from "../exclusive-import.ts";
import type { MovingReport } from "../report.ts";
import { importWorkspace, planWorkspace } from "../import/import-jobs.ts";
import type { Person } from "../import/users.ts";
import { undoRows } from "../undo-jobs.ts";
import { importZulip, planZulip } from "../zulip/import-jobs.ts";
import { isZulipExport } from "../zulip/read/detect.ts";
import { ZULIP } from "../zulip/read/source.ts";
import { undoZulip } from "../zulip/undo.ts";
import { openWorkspace } from "./open.ts";

/** `people`: rows of a CSV file for `PeopleMap`. */
export interface ImportChoices {
  readonly people?: readonly (readonly string[])[];
  readonly roles?: Roles;
  readonly old_url?: string;
  readonly emoji?: string;
  readonly channels?: "public" | "private";
}

export type ImportInput = ImportChoices & { readonly from: string };

/** `onPeople` receives the users whom the archive lists. */
export async function planImport(
  realm: Realm,
  { from, ...choices }: ImportInput,
  onPeople?: (people: readonly Person[]) => void,
): Promise<MovingReport> {
  if (isJsonlExport(from)) return planJsonl(realm, from);
  if (await isZulipExport(from)) return planZulip(realm, from, optionsOf(choices));
  if (!realm.read.realm.has(1)) throw new MovingRefused(NEEDS_ORGANIZATION);
  return planWorkspace(realm, from, optionsOf(choices), openWorkspace, onPeople);
}

export async function runImport(
  realm: Realm,
  { from, ...choices }: ImportInput,
  is_serving: boolean,
): Promise<MovingReport> {
  if (isJsonlExport(from)) {
    if (is_serving) throw new MovingRefused(JSONL_NEEDS_NEW_DIRECTORY);
    return importJsonl(realm, from);
  }
  if (await isZulipExport(from)) {
    if (is_serving) throw new MovingRefused(ZULIP_NEEDS_NEW_DIRECTORY);
    return importZulip(realm, from, optionsOf(choices));
  }
  if (!realm.read.realm.has(1)) throw new MovingRefused(NEEDS_ORGANIZATION);
  return exclusively(realm, () =>
    importWorkspace(realm, from, is_serving, optionsOf(choices), openWorkspace),
  );
}

export async function undoImport(
  realm: Realm,
  id: number,
  is_serving: boolean,
): Promise<MovingReport> {
  const run = realm.read.imports.get(id);
  if (!run) throw new MovingRefused(`There is no import ${id}. See: skein import status`);
  if (run.state === "undone") throw new MovingRefused(`Import ${id} was already undone.`);
  if (run.product !== FORMAT && run.product !== ZULIP) {
    return exclusively(realm, () => undoRows(realm, run));
  }
  if (is_serving) throw new MovingRefused("A server is running on this directory. Stop it first.");
  return run.product === ZULIP ? undoZulip(realm, run) : undoJsonl(realm, run);
}

export function optionsOf({ people, roles, old_url, emoji, channels }: ImportChoices) {
  return { people: new PeopleMap(people), roles, oldUrl: old_url, emoji, channels };
}

const JSONL_NEEDS_NEW_DIRECTORY =
  "A server is running on this directory. This archive keeps the IDs of its accounts, channels " +
  "and messages, so it cannot be added to another organization, not even to an empty one. " +
  "Pass a new directory with --data. To resume an import, stop the server first.";
const ZULIP_NEEDS_NEW_DIRECTORY =
  "A server is running on this directory. This archive keeps the IDs of its accounts, channels " +
  "and messages, so it cannot be added to another organization, not even to an empty one. " +
  "Pass a new directory with --data. To resume an import, or to add a later export of the same " +
  "server, stop the server first.";
const NEEDS_ORGANIZATION =
  "The directory has no organization to import into. Create one first: skein init";
