// Recent disk errors and their reason, for readiness checks and the doctor.
import { perRealm, type Realm } from "../realm.ts";
import { CommitFailed } from "../store/commits.ts";

export type Refused = "writes" | "uploads";

/** The disk is full or fails, a limit on files or a quota is reached, or nothing may be written. */
const CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO"]);
/** Afterwards it may have room again, and nobody has asked for it. */
const TOLD_MS = 60_000;

interface Refusing {
  readonly at: number;
  /** Why, as an operator would say it. */
  readonly why: string;
}

const lately = perRealm(() => new Map<Refused, Refusing>());

/** The reason, if the error means that the disk rejects writes. Otherwise undefined. */
export function refusedByDisk(error: unknown): Refused | undefined {
  if (error instanceof CommitFailed) return "writes";
  return CODES.has(String((error as { code?: unknown } | null)?.code)) ? "uploads" : undefined;
}

export function noteRefused(realm: Realm | undefined, what: Refused, error: unknown): void {
  if (realm) lately(realm).set(what, { at: realm.clock.now(), why: reasonOf(error) });
}

export function refusedLately(realm: Realm): { what: Refused; why: string }[] {
  const since = realm.clock.now() - TOLD_MS;
  return [...lately(realm)].flatMap(([what, { at, why }]) => (at > since ? [{ what, why }] : []));
}

const REASONS: readonly [RegExp, string][] = [
  [/ENOSPC|no space left/i, "the disk is full"],
  [/EDQUOT|quota exceeded/i, "the disk quota is used up"],
  [/EFBIG|file too large/i, "the limit on the size of files is reached"],
  [/EROFS|read-only file system/i, "the file system is read-only"],
  [/EIO|input\/output error/i, "the disk reports I/O errors"],
];

/** The database tells the system's words, and not its code. */
export function reasonOf(error: unknown): string {
  const { message = "", code = "" } = (error ?? {}) as { message?: string; code?: unknown };
  const told = `${String(code)} ${message}`;
  return REASONS.find(([pattern]) => pattern.test(told))?.[1] ?? "the disk refuses writes";
}
