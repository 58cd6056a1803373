// Interface of a backup place.
import type { BackupPlace } from "../../../contract/config.ts";

export type Pieces = AsyncIterable<Uint8Array>;

/** A name is a path of plain words. Whatever is put appears when all of it is durable. */
export interface Target {
  /** Name for people. */
  readonly name: string;
  /** Whether what is put there leaves this machine. */
  readonly is_elsewhere: boolean;
  /** Refuses what would fill it; where nobody can say, nothing is refused. */
  checkRoom(bytes: number): void;
  put(name: string, pieces: Pieces): Promise<void>;
  read(name: string): Pieces;
  /** undefined: there is none. */
  sizeOf(name: string): Promise<number | undefined>;
  /** The names right below a folder, of what is older than the time, if one is given. */
  list(folder: string, before_ms?: number): Promise<string[]>;
  delete(name: string): Promise<void>;
  /** Locks the place against other backups. Returns a function that unlocks it. */
  lock(): () => void;
}

/** A backup that was not made, or not brought back; the message says why. */
export class BackupFailed extends Error {
  override name = "BackupFailed";
}

const WORD = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Names come out of a set, which others may have written: none leads elsewhere. */
export function checkName(name: string): string {
  if (name.split("/").every((word) => WORD.test(word))) return name;
  throw new BackupFailed(`${JSON.stringify(name)} is no name of a file in a backup`);
}

/** Each organization has its own backups, in a folder named as its host. */
export function placeFor(place: BackupPlace, url: string): BackupPlace {
  const { hostname } = new URL(url);
  if ("directory" in place) return { directory: `${place.directory}/${hostname}` };
  return { ...place, prefix: place.prefix === "" ? hostname : `${place.prefix}/${hostname}` };
}
