// Deletes an account's data from this browser after its session has ended.
import { deleteDB } from "idb";
import { withTimeout } from "../../../async/with-timeout.ts";
import { lastUser } from "../../api/session.ts";
import { EMOJI_TONE, USED_EMOJI } from "../../features/emoji/state.ts";
import { DO_NOT_DISTURB_CACHE } from "../../features/notifications/do-not-disturb-rules.ts";
import { SHARE_CACHE } from "../../features/share/state.ts";
import { openExisting } from "./open-existing.ts";
import {
  choiceOf,
  type EndedAccount,
  endings,
  forgetEnding,
  recordEnding,
} from "./ended-accounts.ts";
import { sealUnsent } from "../unsent/preserve.ts";
import { forgetAccountKey } from "../unsent/key.ts";

/** Databases of an account: the cache, and unsent content. */
const DATABASES = [/^skein-(\d+)$/, /^skein-kept-(\d+)$/];
/** A tab that does not respond may hold a database open for longer; the next start tries again. */
const DELETE_MS = 4000;
const LOCK = "skein-purge";

/**
 * Resolves with false if something is still there, because another tab holds it open. The note of
 * the ending stays in that case.
 */
export function purgeAccount(ending: EndedAccount): Promise<boolean> {
  recordEnding(ending);
  return withLock(async () => {
    const { user_id, unsent } = ending;
    // Content that cannot be encrypted is deleted, since the session has ended.
    if (unsent === "seal") await sealUnsent(user_id).catch(reportError);
    const deleted = await Promise.all([
      deleteDatabase(`skein-${user_id}`),
      deleteDatabase(`skein-kept-${user_id}`),
    ]);
    await deleteShared();
    const isDone = deleted.every(Boolean);
    if (isDone) forgetEnding(user_id);
    return isDone;
  });
}

/**
 * Deletes the data of all accounts except that of the current session, including that one if its
 * deletion was started. Resolves with the ids of accounts whose data is not completely deleted.
 */
export async function purgeEnded(current?: number): Promise<number[]> {
  const lastUserId = lastUser();
  const userIds = new Set([
    ...(await accountsOnDisk()),
    ...(lastUserId === undefined ? [] : [lastUserId]),
  ]);
  if (current !== undefined) userIds.delete(current);
  const choices = new Map([...userIds].map((user_id) => [user_id, choiceOf(user_id) ?? "seal"]));
  for (const { user_id, unsent } of endings()) choices.set(user_id, unsent);
  const remaining: number[] = [];
  for (const [user_id, unsent] of choices) {
    if (!(await purgeAccount({ user_id, unsent }))) remaining.push(user_id);
  }
  return remaining;
}

/** Older browsers cannot list databases, but recorded accounts are found anyway. */
async function accountsOnDisk(): Promise<number[]> {
  const all = (await indexedDB.databases?.()) ?? [];
  return all.flatMap(({ name = "" }) => {
    const userId = DATABASES.map((pattern) => pattern.exec(name)?.[1]).find(Boolean);
    return userId === undefined ? [] : [Number(userId)];
  });
}

/** Deletes the rows first, which works even while other tabs have the database open. */
async function deleteDatabase(name: string): Promise<boolean> {
  const step = async () => {
    await clearDatabase(name);
    await deleteDB(name);
    return true;
  };
  return withTimeout(
    step().catch(() => false),
    DELETE_MS,
    () => false,
  );
}

async function clearDatabase(name: string): Promise<void> {
  const db = await openExisting(name);
  const stores = [...(db?.objectStoreNames ?? [])];
  try {
    if (!db || stores.length === 0) return;
    const tx = db.transaction(stores, "readwrite");
    await Promise.all([...stores.map((store) => tx.objectStore(store).clear()), tx.done]);
  } finally {
    db?.close();
  }
}

/** Deletes the account's data outside of its databases. */
async function deleteShared(): Promise<void> {
  forgetAccountKey();
  try {
    const keys = [USED_EMOJI, EMOJI_TONE, "skein:quiet", "skein:closed-notes"];
    for (const key of keys) localStorage.removeItem(key);
    if (!("caches" in globalThis)) return;
    await Promise.all([SHARE_CACHE, DO_NOT_DISTURB_CACHE].map((name) => caches.delete(name)));
  } catch {
    // Storage is blocked.
  }
}

/** Browsers have no locks on HTTP pages, so two tabs may do the same work there. */
const withLock = <T>(step: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request(LOCK, step) as Promise<T>) : step();
