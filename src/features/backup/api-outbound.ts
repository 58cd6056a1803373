// Endpoints for owners to see the state of backups and start one; backups cannot be downloaded.
import Type from "typebox";
import { backupsNotSet, backupUnderWay } from "../../contract/errors/realm.ts";
import { list, nothing, nullable, seconds } from "../../contract/shapes/value-types.ts";
import { endpoint } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import { isMultiTenant } from "../realm/multi-tenant.ts";
import { backUpAsSet } from "./nightly-jobs.ts";
import { isBackingUp } from "./run.ts";
import { bytesOf, readSet, setNames } from "./sets.ts";
import { backupState } from "./state.ts";
import { openTarget } from "./targets-outbound.ts";
import { BackupFailed, type Target } from "./work/target.ts";

const SETS_MAX = 100;

const setShape = Type.Object({
  id: Type.String(),
  /** null if the set cannot be read. */
  created: nullable(seconds),
  bytes: nullable(Type.Integer()),
  is_whole: Type.Boolean(),
  is_encrypted: Type.Boolean(),
});
/**
 * `words`: the error. null for organizations that do not operate the server, because errors may
 * contain paths.
 */
const outcome = { at: seconds, words: nullable(Type.String()) };

export const getBackups = endpoint({
  summary: "Get the state of the server's backups",
  tag: "Organization",
  params: {},
  answer: Type.Object({
    /**
     * Place of the daily backups. Null if there is none, or if the server hosts other
     * organizations.
     */
    place: nullable(Type.String()),
    /** Time of day on the server's clock. null if the operator has configured no backups. */
    time: nullable(Type.String()),
    is_running: Type.Boolean(),
    last: nullable(Type.Object({ id: Type.String(), at: seconds })),
    failure: nullable(Type.Object(outcome)),
    drill: nullable(Type.Object({ ...outcome, is_good: nullable(Type.Boolean()) })),
    /**
     * Newest first. null if the server cannot list the sets, for example with write-only
     * credentials.
     */
    sets: nullable(list(setShape)),
  }),
  run: async ({ realm }) => {
    const { backup, data } = realm.config;
    const isOwn = isMultiTenant(realm.config);
    const describe = (text: string) => (isOwn ? null : text);
    const { made: created, failed, drill } = backupState(realm);
    const target = backup && openTarget(backup.to, data);
    return {
      place: target ? describe(target.name) : null,
      time: backup ? timeOf(backup.at_minutes) : null,
      is_running: isBackingUp(realm),
      last: created ? { id: created.id, at: secondsOf(created.at) } : null,
      failure: failed ? { at: secondsOf(failed.at), words: describe(failed.words) } : null,
      drill: drill ? { ...drill, at: secondsOf(drill.at), words: describe(drill.words) } : null,
      sets: target ? await setsIn(target) : [],
    };
  },
});

/** Starts a backup without waiting for it, since it may take minutes. */
export const postBackup = endpoint({
  summary: "Start a backup to the configured location",
  tag: "Organization",
  params: {},
  answer: nothing,
  run: async ({ realm }) => {
    const { backup } = realm.config;
    if (!backup) throw backupsNotSet();
    if (isBackingUp(realm)) throw backupUnderWay();
    void startBackup(realm, backUpAsSet(realm, backup));
    return {};
  },
});

async function startBackup(realm: Realm, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    realm.onNote("backup failed", { error: (error as Error).message });
  }
}

async function setsIn(target: Target) {
  try {
    const names = (await setNames(target)).toReversed().slice(0, SETS_MAX);
    return await Promise.all(names.map((id) => setsResponse(target, id)));
  } catch (error) {
    if (error instanceof BackupFailed) return null;
    throw error;
  }
}

async function setsResponse(target: Target, id: string) {
  try {
    const set = await readSet(target, id);
    const { created, is_whole, is_encrypted } = set;
    return { id, created, bytes: bytesOf(set), is_whole, is_encrypted };
  } catch (error) {
    if (!(error instanceof BackupFailed)) throw error;
    return { id, created: null, bytes: null, is_whole: false, is_encrypted: false };
  }
}

const HOUR_MINUTES = 60;

function timeOf(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / HOUR_MINUTES), minutes % HOUR_MINUTES];
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

const secondsOf = (ms: number) => Math.floor(ms / 1_000);
