// The state of the page for imports, which is kept while the user visits other pages.
import { signal } from "@preact/signals";
import type { ImportState, ImportUser, MappedUser } from "../../../../contract/shapes/imports.ts";
import {
  fetchImport,
  fetchImportUsers,
  type ImportOptions,
  mapImportUser,
} from "../../../api/import-calls.ts";
import { sync } from "../../../sync/session.ts";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { loadSentences } from "./sentences.ts";

export const currentImport = signal<ImportState | undefined>(undefined);
/** undefined: those of the plan. */
export const options = signal<ImportOptions | undefined>(undefined);
export const users = signal<readonly ImportUser[]>([]);
/** Mapped users by their id in the archive, with changes that are not saved yet. */
export const mapped = signal<ReadonlyMap<string, MappedUser>>(new Map());

export async function refresh(): Promise<void> {
  const [state] = await Promise.all([fetchImport(sync, {}), loadSentences()]);
  // Another owner may have replaced the archive, whose ids mean other users.
  if (archiveOf(state) !== archiveOf(currentImport.peek())) forgetChoices();
  currentImport.value = state;
}

const archiveOf = (state: ImportState | undefined) => state?.upload?.archive ?? "";

/** Loads the state, and shows a notice if the server does not respond. */
export const load = () => runWithToast(refresh);

export async function loadUsers(): Promise<void> {
  const loaded = await fetchImportUsers(sync, {});
  users.value = loaded.users;
  mapped.value = new Map(loaded.mapped.map((user) => [user.source, user]));
}

let saving: Promise<unknown> = Promise.resolve();

/** Saves a change after the ones before it. A rejected change is replaced by the saved one. */
export function saveMapped(user: MappedUser): void {
  const archive = archiveOf(currentImport.peek());
  saving = saving.then(async () => {
    const isSaved = await runWithToast(() => mapImportUser(sync, { archive, ...user }));
    if (!isSaved) await runWithToast(loadUsers);
  });
}

/** Resolves when all changes made before are saved or rejected. */
export const currentSaving = () => saving;

function forgetChoices(): void {
  options.value = undefined;
  users.value = [];
  mapped.value = new Map();
}
