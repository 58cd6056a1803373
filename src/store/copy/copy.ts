// Requirements of a copy of a database: free space, and durability.
import { statfsSync } from "node:fs";
import { sizeText } from "../system/system-errors.ts";

/** The file grows during the copy, because the copy prevents reuse of pages. */
const SPACE_FACTOR = 1.1;

/** There is not enough free space for a copy. */
export class NoFreeSpace extends Error {
  override name = "NoFreeSpace";

  constructor(folder: string, neededBytes: number, free: number) {
    const needed = sizeText(neededBytes, Math.ceil);
    super(
      `${folder} has ${sizeText(free, Math.floor)} of free space, but ${needed} are needed; ` +
        "nothing was changed",
    );
  }
}

/** @throws if the copy would fill the disk */
export function checkFreeSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const neededBytes = bytes * SPACE_FACTOR;
  if (bavail * bsize < neededBytes) throw new NoFreeSpace(folder, neededBytes, bavail * bsize);
}
