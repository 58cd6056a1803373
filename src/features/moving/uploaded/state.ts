// The state of an import in the browser: one archive and one task per organization.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { importArchiveReplaced, importUploadMissing } from "../../../contract/errors/realm.ts";
import type { ImportUser, MappedUser } from "../../../contract/shapes/imports.ts";
import { perRealm, type Realm } from "../../../realm.ts";
import { importsDirectory } from "../../realm/export-paths.ts";
import type { MovingReport } from "../report.ts";

export type Task = "plan" | "run" | "undo";

export interface Upload {
  /** The folder of the archive. */
  readonly key: string;
  readonly name: string;
  /** The name of the archive's file. */
  readonly file: string;
  readonly size: number;
  readonly created: number;
}

export interface PlanChoices {
  readonly roles: "keep" | "members";
  readonly channels: "public" | "private";
  readonly old_url?: string;
}

interface Stored {
  readonly upload: Upload | null;
  /** The task that was started and has not ended, even if a restart interrupted it. */
  readonly task: Task | null;
  readonly plan: MovingReport | null;
  /** The choices of the plan. They also apply to the import. */
  readonly choices: PlanChoices | null;
  readonly users: readonly ImportUser[];
  /** Users with another address or role than in the archive. */
  readonly mapped: readonly MappedUser[];
  readonly report: MovingReport | null;
}

const EMPTY: Stored = {
  upload: null,
  task: null,
  plan: null,
  choices: null,
  users: [],
  mapped: [],
  report: null,
};

/** The state of imports in this process, with the part that is stored. */
interface CurrentState {
  stored: Stored;
  /** The task that this process runs, and since when. */
  task: Task | undefined;
  since_ms: number;
  /** Whether a request is adding to the archive. */
  isReceiving: boolean;
}

export const currentOf = perRealm((realm): CurrentState => {
  return { stored: load(realm), task: undefined, since_ms: 0, isReceiving: false };
});

export const storedOf = (realm: Realm): Stored => currentOf(realm).stored;

/** @throws if the disk rejects the file; then the state is unchanged */
export function store(realm: Realm, change: Partial<Stored>): void {
  const current = currentOf(realm);
  const newState = { ...current.stored, ...change };
  const path = statePath(realm);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, JSON.stringify(newState), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  current.stored = newState;
}

/**
 * Ends a task even if the disk rejects the file: then the task counts as interrupted after a
 * restart.
 */
export function storeEnd(realm: Realm, change: Partial<Stored>): void {
  try {
    store(realm, { ...change, task: null });
  } catch (error) {
    const current = currentOf(realm);
    current.stored = { ...current.stored, ...change, task: null };
    realm.onNote("the state of an import was not stored", { reason: (error as Error).message });
  }
}

function load(realm: Realm): Stored {
  const path = statePath(realm);
  if (!existsSync(path)) return EMPTY;
  try {
    // `store` is the only writer of the file, so it has this form.
    const stored = { ...EMPTY, ...(JSON.parse(readFileSync(path, "utf8")) as Stored) };
    const isThere = stored.upload && existsSync(uploadPath(realm, stored.upload));
    if (isThere) return stored;
    // An undo needs no archive.
    return { ...EMPTY, task: stored.task === "undo" ? "undo" : null, report: stored.report };
  } catch {
    return EMPTY;
  }
}

const statePath = (realm: Realm) => join(importsDirectory(realm), "state.json");

export function accessUpload(realm: Realm): Upload {
  const { upload } = storedOf(realm);
  if (!upload) throw importUploadMissing();
  return upload;
}

/** Ids of users differ between archives, so choices for one do not apply to another. */
export function checkArchive(realm: Realm, archive: string): void {
  if (accessUpload(realm).key !== archive) throw importArchiveReplaced();
}

export function uploadPath(realm: Realm, { key, file }: Upload): string {
  return join(importsDirectory(realm), key, file);
}

/** Deletes the archive and its plan. `put`: stores the state. */
export function forgetUpload(realm: Realm, change: Partial<Stored> = {}, put = store): void {
  const { upload } = storedOf(realm);
  put(realm, { ...EMPTY, report: storedOf(realm).report, ...change });
  if (upload) rmSync(join(importsDirectory(realm), upload.key), { recursive: true, force: true });
}

/** Deletes the folders of archives that a process left when it was killed. */
export function deleteUnnamed(realm: Realm): void {
  const { upload } = storedOf(realm);
  const directory = importsDirectory(realm);
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === upload?.key) continue;
    rmSync(join(directory, entry.name), { recursive: true, force: true });
  }
}
