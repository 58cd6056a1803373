// Recognizes Zulip exports among archives of other products by their files.
import { isDatabaseFile, isTar, openArchive } from "../../archive/archive.ts";
import { namesInTar } from "../../archive/tar.ts";
import { REALM_FILE, rootOf } from "./source.ts";
import { lstat } from "node:fs/promises";
import { MovingRefused } from "../../errors.ts";

export async function isZulipExport(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts) return false;
  if (facts.isFile() && (await isTar(path))) return isZulipTar(path);
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

/** The kinds of files that other products' archives have. */
const OTHERS = /\.(?:jsonl?|bson|bson\.gz|sqlite3?|db|archive)$/;

/** Also true for a damaged tar file or one of no product: Zulip's reader then reports the error. */
async function isZulipTar(path: string): Promise<boolean> {
  const sizes = new Map<string, number>();
  try {
    for await (const name of namesInTar(path)) {
      if (name.endsWith(`/${REALM_FILE}`) && name.split("/").length === 2) return true;
      sizes.set(name, 0);
    }
    return rootOf({ sizes }) !== undefined || ![...sizes.keys()].some((name) => OTHERS.test(name));
  } catch {
    return true;
  }
}
