// Finds the account that may open a file, and explains how an operator can switch to it.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isInUse } from "../control.ts";
import { CommandError } from "../flags.ts";
import { nameOf } from "./accounts.ts";

/**
 * Rejects a data directory that this account may not open, and names the account that may. Root is
 * rejected too while no server runs, because the server could not open files that root creates.
 */
export function checkPermitted(data: string): void {
  const facts = statSync(data, { throwIfNoEntry: false });
  if (!facts) return;
  if (!facts.isDirectory()) throw new CommandError(`${data} is not a directory`);
  const owner = facts.uid;
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notPermitted(data, error);
  }
  const isForeign = process.geteuid?.() === 0 && owner !== 0;
  // The check of a lock would create its file.
  if (!isForeign || (existsSync(join(data, "lock")) && isInUse(data))) return;
  const text = `${data} belongs to ${nameOf(owner)}, which could not use files created by root`;
  throw new CommandError(`${text}. Run: ${asOwner(owner)}`);
}

/** The error when a path cannot be opened, with the account that may open it. */
export function notPermitted(path: string, error: unknown): Error {
  const { code } = error as Error & { code?: string };
  if (code !== "EACCES") return error as Error;
  const owner = ownerOf(path);
  const remedy = owner === undefined ? "Run the command as root" : `Run: ${asOwner(owner)}`;
  return new CommandError(`Cannot open ${path}: permission denied. ${remedy}`);
}

/** undefined if a parent folder is not accessible. */
function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

/** The command line that runs this command as the account. */
function asOwner(uid: number): string {
  const account = nameOf(uid).replace("uid ", "#");
  const args = process.argv.slice(2).map((arg) => {
    return /^[\w./:@,=+-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
  });
  return ["sudo", "-u", account.startsWith("#") ? `'${account}'` : account, "skein", ...args].join(
    " ",
  );
}
