// Requirements of a copy of a database: free space, and durability.
import { statfsSync } from "node:fs";

/** The file grows during the copy, because the copy prevents reuse of pages. */
const ROOM = 1.1;
const MIB = 1_048_576;

/** There is not enough free space for a copy. */
export class NoRoom extends Error {
  override name = "NoRoom";

  constructor(folder: string, needed: number, free: number) {
    const [wanted, has] = [needed, free].map((bytes) => Math.ceil(bytes / MIB));
    super(
      `${folder} has ${has} MiB of free space, but ${wanted} MiB are needed; nothing was changed`,
    );
  }
}

/** @throws if the copy would fill the disk */
export function checkRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const needed = bytes * ROOM;
  if (bavail * bsize < needed) throw new NoRoom(folder, needed, bavail * bsize);
}
