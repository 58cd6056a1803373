// What a copy of a database needs: room, and that it is on the disk when it counts.
import { statfsSync } from "node:fs";

/** The file grows meanwhile, as the copy holds its pages. */
const ROOM = 1.1;
const MIB = 1_048_576;

/** There is less room than a copy needs. */
export class NoRoom extends Error {
  override name = "NoRoom";

  constructor(folder: string, needed: number, free: number) {
    const [wanted, has] = [needed, free].map((bytes) => Math.ceil(bytes / MIB));
    super(`${folder} has ${has} MiB free, and ${wanted} MiB are needed; nothing was changed`);
  }
}

/** Refuses what would fill the disk. */
export function checkRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const needed = bytes * ROOM;
  if (bavail * bsize < needed) throw new NoRoom(folder, needed, bavail * bsize);
}
