// The account that runs a command, for the audit log, as the kernel knows it.
import { accountOf } from "./accounts.ts";

/** "skein (uid 990)", and the user who called sudo, known only from the environment. */
export function operatorName(environment: Readonly<NodeJS.ProcessEnv> = process.env): string {
  const uid = process.geteuid?.() ?? 0;
  const account = operatorOf(uid);
  const { SUDO_USER = "", SUDO_UID = "" } = environment;
  const isOtherUser = SUDO_USER !== "" && SUDO_UID !== String(uid);
  const operator = isOtherUser
    ? `${account}; sudo user ${SUDO_USER} (uid ${SUDO_UID || "?"})`
    : account;
  // A header can contain only these characters.
  return operator.replace(/[^\x20-\x7e]/g, "?").slice(0, NAME_LENGTH_MAX);
}

const NAME_LENGTH_MAX = 200;

/** "skein (uid 990)"; "uid 990" if the system has no name for it. */
export function operatorOf(uid: number, passwd?: string): string {
  const account = accountOf(uid, passwd);
  return account ? `${account.name} (uid ${uid})` : `uid ${uid}`;
}
