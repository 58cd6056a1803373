// Interface of a backup place.
import type { BackupPlace } from "../../../contract/config.ts";

export type Pieces = AsyncIterable<Uint8Array>;

/** A name is a relative path of safe characters. A file becomes visible only when it is durable. */
export interface Target {
  /** Display name. */
  readonly name: string;
  /** Whether the target is on another machine. */
  readonly is_elsewhere: boolean;
  /** Rejects a file that does not fit, if the free space is known. */
  checkRoom(bytes: number): void;
  put(name: string, pieces: Pieces): Promise<void>;
  read(name: string): Pieces;
  /** undefined if there is no such file. */
  sizeOf(name: string): Promise<number | undefined>;
  /** The names directly in a folder; with `before_ms`, only those that are older. */
  list(folder: string, before_ms?: number): Promise<string[]>;
  delete(name: string): Promise<void>;
  /** Locks the place against other backups. Returns a function that unlocks it. */
  lock(): () => void;
}

/** A backup or restore that failed; the message says why. */
export class BackupFailed extends Error {
  override name = "BackupFailed";
}

/** A backup file that is missing, damaged or invalid. */
export class BackupDamaged extends BackupFailed {
  override name = "BackupDamaged";
}

const PLAIN_WORD = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Names come from a set that others may have written, so names that lead outside are rejected. */
export function checkName(name: string): string {
  if (name.split("/").every((word) => PLAIN_WORD.test(word))) return name;
  throw new BackupFailed(`${JSON.stringify(name)} is not a file name of a backup`);
}

/** Each organization has its own backups, in a folder named after its host. */
export function placeFor(backupPlace: BackupPlace, url: string): BackupPlace {
  const { hostname } = new URL(url);
  if ("directory" in backupPlace) return { directory: `${backupPlace.directory}/${hostname}` };
  return {
    ...backupPlace,
    prefix: backupPlace.prefix === "" ? hostname : `${backupPlace.prefix}/${hostname}`,
  };
}
