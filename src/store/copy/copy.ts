// Requirements of a copy of a database: free space, and durability.
import { statfsSync } from "node:fs";

/** The file grows during the copy, because the copy prevents reuse of pages. */
const SPACE_FACTOR = 1.1;
const MIB = 1_048_576;

/** There is not enough free space for a copy. */
export class NoFreeSpace extends Error {
  override name = "NoFreeSpace";

  constructor(folder: string, neededBytes: number, free: number) {
    const [mib, freeMib] = [neededBytes, free].map((bytes) => Math.ceil(bytes / MIB));
    super(
      `${folder} has ${freeMib} MiB of free space, but ${mib} MiB are needed; nothing was changed`,
    );
  }
}

/** @throws if the copy would fill the disk */
export function checkFreeSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const neededBytes = bytes * SPACE_FACTOR;
  if (bavail * bsize < neededBytes) throw new NoFreeSpace(folder, neededBytes, bavail * bsize);
}
