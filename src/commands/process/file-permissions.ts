// Finds the account that may open a file, and explains how an operator can switch to it.
import { accessSync, chmodSync, chownSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { shellWord } from "../../store/system/system-errors.ts";
import { isInUse } from "../control.ts";
import { CommandError } from "../flags.ts";
import { type Account, nameOf } from "./accounts.ts";

/** Rejects a data directory that this account may not open, and names the account that may. */
export function checkPermitted(data: string): void {
  const facts = statSync(data, { throwIfNoEntry: false });
  if (!facts) return;
  if (!facts.isDirectory()) throw new CommandError(`${data} is not a directory`);
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notPermitted(data, error);
  }
  rejectRoot(data);
}

/**
 * Rejects root for a directory of another account while no server runs, because the server could
 * not open files that root creates.
 */
export function rejectRoot(data: string): void {
  const owner = ownerOf(data) ?? 0;
  // A database that root created, as in some containers, can only be used by root.
  const dataOwner = ownerOf(join(data, "data.mdb")) ?? owner;
  const isForeign = process.geteuid?.() === 0 && owner !== 0 && dataOwner !== 0;
  // `isInUse` would create the lock file.
  if (!isForeign || (existsSync(join(data, "lock")) && isInUse(data))) return;
  const text = `${data} belongs to ${nameOf(owner)}, which could not use files created by root`;
  throw new CommandError(`${text}. Run: ${asOwner(owner)}`);
}

/** The error when a path cannot be opened, with the account that may open it. */
function notPermitted(path: string, error: unknown): Error {
  const { code } = error as Error & { code?: string };
  if (code !== "EACCES") return error as Error;
  const owner = ownerOf(path);
  const remedy = owner === undefined ? "Run the command as root" : `Run: ${asOwner(owner)}`;
  return new CommandError(`Cannot open ${path}: permission denied. ${remedy}`);
}

/**
 * The error when the settings file cannot be opened. The server should not run as root only because
 * the file belongs to root. `account`: that of the service, if there is one
 */
export function settingsNotPermitted(path: string, error: unknown, account?: string): Error {
  if (ownerOf(path) !== 0) return notPermitted(path, error);
  const reader = account ?? nameOf(process.geteuid?.() ?? 0).replace("uid ", "");
  const chown = `sudo chown ${reader} ${shellWord(path)}`;
  const remedy = `To let the account ${reader} read it, run: ${chown}`;
  return new CommandError(`Cannot open ${path}: permission denied. ${remedy}`);
}

const READ = 0o444;
const SEARCH = 0o111;
const FOLDER_MODE = 0o755;

/**
 * Makes a file readable for the account of the service, unless it already is. @throws if it belongs
 * to an account other than root, which may have a reason
 */
export function makeReadable(path: string, account: Account): void {
  const folder = dirname(path);
  if (!mayAccess(folder, SEARCH, account)) {
    rejectForeign(folder, account);
    chmodSync(folder, FOLDER_MODE);
  }
  if (mayAccess(path, READ, account)) return;
  rejectForeign(path, account);
  chownSync(path, account.uid, account.gid);
}

/** Whether the mode of the file allows it. Access control lists are ignored. */
function mayAccess(path: string, bits: number, { uid, gid }: Account): boolean {
  const facts = statSync(path);
  const mask = facts.uid === uid ? 0o700 : facts.gid === gid ? 0o070 : 0o007;
  return (facts.mode & bits & mask) !== 0;
}

function rejectForeign(path: string, { name }: Account): void {
  const owner = ownerOf(path);
  if (owner === 0) return;
  const word = shellWord(path);
  const facts = `The service cannot read ${path}, which belongs to ${nameOf(owner!)}`;
  throw new CommandError(`${facts}. Run: chown ${name} ${word} && chmod u+rwX ${word}`);
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
  const user = shellWord(account);
  return ["sudo", "-u", user, "skein", ...process.argv.slice(2).map(shellWord)].join(" ");
}
