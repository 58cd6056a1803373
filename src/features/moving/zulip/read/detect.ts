// Recognizes Zulip exports among archives of other products by their files.
import { isDatabaseFile, isTar, openArchive } from "../../archive/archive.ts";
import { rootOf } from "./source.ts";
import { lstat } from "node:fs/promises";
import { MovingRefused } from "../../errors.ts";

/** No other product's archive is a tar file. */
export async function isZulipExport(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts) return false;
  if (facts.isFile() && (await isTar(path))) return true;
  if (facts.isFile() && (await isDatabaseFile(path))) return false;
  try {
    const archive = await openArchive(path);
    try {
      return rootOf(archive) !== undefined;
    } finally {
      await archive.close();
    }
  } catch (error) {
    // The reader for the other product reports the error.
    if (error instanceof MovingRefused) return false;
    throw error;
  }
}
