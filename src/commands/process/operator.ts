// The account that runs a command, for the audit log, as the kernel knows it.
import { readFileSync } from "node:fs";

const PASSWD = "/etc/passwd";

/** "skein (uid 990)", and whom sudo names, which the environment alone says. */
export function operatorName(environment: Readonly<NodeJS.ProcessEnv> = process.env): string {
  const uid = process.geteuid?.() ?? 0;
  const account = accountOf(uid);
  const { SUDO_USER = "", SUDO_UID = "" } = environment;
  const isOther = SUDO_USER !== "" && SUDO_UID !== String(uid);
  const known = isOther ? `${account}; sudo says ${SUDO_USER} (uid ${SUDO_UID || "?"})` : account;
  // Only characters that a header can contain.
  return known.replace(/[^\x20-\x7e]/g, "?").slice(0, NAME_LENGTH_MAX);
}

const NAME_LENGTH_MAX = 200;

/** In a container the account often has no name. */
export function accountOf(uid: number, passwd = readPasswd()): string {
  for (const line of passwd.split("\n")) {
    const [name = "", , id] = line.split(":");
    if (name !== "" && id === String(uid)) return `${name} (uid ${uid})`;
  }
  return `uid ${uid}`;
}

function readPasswd(): string {
  try {
    return readFileSync(PASSWD, "utf8");
  } catch {
    return "";
  }
}
