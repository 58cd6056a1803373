// What the disk has refused lately, for whoever watches the server.
import { perRealm, type Realm } from "../realm.ts";
import { CommitFailed } from "../store/commits.ts";

export type Refused = "writes" | "uploads";

/** The disk is full, or a limit on files or a quota has been reached, or nothing may be written. */
const CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS"]);
/** Afterwards it may have room again, and nobody has asked for it. */
const TOLD_MS = 60_000;

const lately = perRealm(() => new Map<Refused, number>());

/** What a failure says that the disk refuses, if it is that. */
export function refusedByDisk(error: unknown): Refused | undefined {
  if (error instanceof CommitFailed) return "writes";
  return CODES.has(String((error as { code?: unknown } | null)?.code)) ? "uploads" : undefined;
}

export function noteRefused(realm: Realm | undefined, what: Refused): void {
  if (realm) lately(realm).set(what, realm.clock.now());
}

export function refusedLately(realm: Realm): Refused[] {
  const since = realm.clock.now() - TOLD_MS;
  return [...lately(realm)].flatMap(([what, time]) => (time > since ? [what] : []));
}
