// Prepares the directory of the systemd service for a restore, and starts the service.
import {
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { IGNORED_ENTRIES } from "../../features/backup/restore.ts";
import { isInUse } from "../control.ts";
import { CommandError } from "../flags.ts";
import { accountNamed } from "../process/accounts.ts";
import { accountOfUnit, dataOfUnit, unitFile } from "../systemd/unit-file.ts";

const SERVICE = "skein.service";
/** Exists if systemd is running. */
const SYSTEMD = "/run/systemd/system";
const ASIDE_PREFIX = "before-restore-";

interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface Service extends Account {
  readonly data: string;
}

/** The settings of the unit on this machine. */
export function installedService(): Service {
  const unit = unitFile();
  const data = unit && dataOfUnit(unit);
  const name = unit && accountOfUnit(unit);
  if (data === undefined || name === undefined) {
    throw new CommandError(
      "systemd has no unit of Skein with a data directory: install the package, run " +
        "skein service install, or pass a directory with --into",
    );
  }
  const account = accountNamed(name);
  if (!account) throw new CommandError(`the account ${name} of the systemd unit does not exist`);
  if (process.geteuid?.() !== 0) {
    throw new CommandError("--service stops and starts the service: run it with sudo");
  }
  return { data, ...account };
}

/** Stops the server, and moves the content of its directory aside. Returns the folder with it. */
export function freeSpace({ data, uid, gid }: Service, now: Date): string | undefined {
  if (existsSync(SYSTEMD)) systemctl("stop");
  if (!existsSync(data)) return undefined;
  if (isInUse(data)) {
    throw new CommandError(`a server is still running on ${data}: stop it, then try again`);
  }
  // The check above has just created the lock file.
  rmSync(join(data, "lock"), { force: true });
  const names = readdirSync(data).filter((name) => !IGNORED_ENTRIES.test(name));
  if (names.length === 0) return undefined;
  const time = now.toISOString().replaceAll(":", "").replace(/\.\d+/, "");
  const previous = join(data, `${ASIDE_PREFIX}${time}`);
  mkdirSync(previous, { mode: 0o700 });
  lchownSync(previous, uid, gid);
  for (const name of names) renameSync(join(data, name), join(previous, name));
  return previous;
}

/** Starts the server again. Returns false if systemd is not running. */
export function startService(): boolean {
  if (!existsSync(SYSTEMD)) return false;
  systemctl("start");
  return true;
}

/** The owner of the directory, if root restores into it for another account. */
export function ownerFor(directory: string): Account | undefined {
  const facts = statSync(directory, { throwIfNoEntry: false });
  if (process.geteuid?.() !== 0 || facts === undefined || facts.uid === 0) return undefined;
  return { uid: facts.uid, gid: facts.gid };
}

/** Changes the owner of the directory and its content, without following symbolic links. */
export function changeOwner(directory: string, { uid, gid }: Account): void {
  lchownSync(directory, uid, gid);
  for (const entry of readdirSync(directory, { recursive: true })) {
    lchownSync(join(directory, String(entry)), uid, gid);
  }
}

function systemctl(verb: string): void {
  const { success, stderr } = Bun.spawnSync(["systemctl", verb, SERVICE], { stderr: "pipe" });
  if (success) return;
  throw new CommandError(`systemctl ${verb} ${SERVICE} failed: ${stderr.toString().trim()}`);
}
