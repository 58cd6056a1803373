// Accounts of the operating system, by number and by name.
import { readFileSync } from "node:fs";

const PASSWD = "/etc/passwd";

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Undefined if the system has no name for it, as often in a container. */
export const accountOf = (uid: number, passwd?: string): Account | undefined =>
  accounts(passwd).find((account) => account.uid === uid);

export const accountNamed = (name: string): Account | undefined =>
  accounts().find((account) => account.name === name);

/** "skein", or "uid 990" if the system has no name for it. */
export const nameOf = (uid: number): string => accountOf(uid)?.name ?? `uid ${uid}`;

function accounts(passwd = readPasswd()): Account[] {
  return passwd.split("\n").flatMap((line) => {
    const [name = "", , uid, gid] = line.split(":");
    return name === "" ? [] : [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

function readPasswd(): string {
  try {
    return readFileSync(PASSWD, "utf8");
  } catch {
    return "";
  }
}
