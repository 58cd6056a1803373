// Which account may open a file, and how an operator becomes that account.
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isHeld } from "../control.ts";
import { CommandError } from "../flags.ts";

const PASSWD = "/etc/passwd";
const UID_FIELD = 2;
const GID_FIELD = 3;

/** The name of an account by its number; `uid 998` if the system has no name for it. */
export function accountOf(uid: number): string {
  return accounts().find((fields) => fields[UID_FIELD] === `${uid}`)?.[0] ?? `uid ${uid}`;
}

/** The numbers of an account by its name. */
export function accountNamed(name: string): { uid: number; gid: number } | undefined {
  const row = accounts().find(([first]) => first === name);
  return row && { uid: Number(row[UID_FIELD]), gid: Number(row[GID_FIELD]) };
}

function accounts(): string[][] {
  if (!existsSync(PASSWD)) return [];
  const lines = readFileSync(PASSWD, "utf8").split("\n");
  return lines.map((line) => line.split(":"));
}

/**
 * Refuses a data directory that this account may not open, and says which account may. Root is
 * refused too while no server runs: the server could not open the files that root would create.
 */
export function checkPermitted(data: string): void {
  const owner = statSync(data, { throwIfNoEntry: false })?.uid;
  if (owner === undefined) return;
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notPermitted(data, error);
  }
  const isForeign = process.geteuid?.() === 0 && owner !== 0;
  if (!isForeign || !existsSync(join(data, "data.mdb")) || isHeld(data)) return;
  const words = `${data} belongs to ${accountOf(owner)}, and root would leave its own files there`;
  throw new CommandError(`${words}. Run: ${asOwner(owner)}`);
}

/** The error of opening a path, which says who may open it if this account may not. */
export function notPermitted(path: string, error: unknown): Error {
  const { code } = error as Error & { code?: string };
  if (code !== "EACCES") return error as Error;
  const owner = ownerOf(path);
  const remedy = owner === undefined ? "Run it as root" : `Run: ${asOwner(owner)}`;
  return new CommandError(`Cannot open ${path}: permission denied. ${remedy}`);
}

/** undefined: a folder above it may not be looked into. */
function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

/** This command line, as the account would run it. */
function asOwner(uid: number): string {
  const account = accountOf(uid).replace("uid ", "#");
  const args = process.argv.slice(2).map((arg) => {
    return /^[\w./:@,=+-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
  });
  return ["sudo", "-u", account.startsWith("#") ? `'${account}'` : account, "skein", ...args].join(
    " ",
  );
}
