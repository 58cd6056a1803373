// Recent disk errors and their reason, for readiness checks and the doctor.
import { perRealm, type Realm } from "../realm.ts";
import { CommitFailed } from "../store/commits.ts";

type DiskRefusal = "writes" | "uploads";

/**
 * The disk is full or fails, a file size limit or quota is reached, or the file system is
 * read-only.
 */
const CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO"]);
/** After this time the disk may have space again, without any write to show it. */
const RECENT_MS = 60_000;

interface DiskState {
  readonly time: number;
  /** The reason, in words for the operator. */
  readonly why: string;
}

const diskStates = perRealm(() => new Map<DiskRefusal, DiskState>());

/** The reason, if the error means that the disk rejects writes. Otherwise undefined. */
export function diskRefusalOf(error: unknown): DiskRefusal | undefined {
  if (error instanceof CommitFailed) return "writes";
  return CODES.has(String((error as { code?: unknown } | null)?.code)) ? "uploads" : undefined;
}

export function recordDiskRefusal(
  realm: Realm | undefined,
  operation: DiskRefusal,
  error: unknown,
): void {
  if (realm) diskStates(realm).set(operation, { time: realm.clock.now(), why: reasonOf(error) });
}

export function recentDiskRefusal(realm: Realm): { operation: DiskRefusal; why: string }[] {
  const since = realm.clock.now() - RECENT_MS;
  return [...diskStates(realm)].flatMap(([operation, { time, why }]) =>
    time > since ? [{ operation, why }] : [],
  );
}

const REASONS: readonly [RegExp, string][] = [
  [/ENOSPC|no space left/i, "the disk is full"],
  [/EDQUOT|quota exceeded/i, "the disk quota is used up"],
  [/EFBIG|file too large/i, "the limit of the file size is reached"],
  [/EROFS|read-only file system/i, "the file system is read-only"],
  [/EIO|input\/output error/i, "the disk reports I/O errors"],
];

/** The database reports the system's message, not its code. */
export function reasonOf(error: unknown): string {
  const { message = "", code = "" } = (error ?? {}) as { message?: string; code?: unknown };
  const text = `${String(code)} ${message}`;
  return REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? "the disk rejects writes";
}
