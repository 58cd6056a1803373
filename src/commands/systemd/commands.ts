// `skein service …`: installs the server as a systemd service.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, normalize, resolve } from "node:path";
import { withPath } from "../../store/system/system-errors.ts";
import { withoutEnd } from "../../text/trim.ts";
import { createSettings, settingsText } from "../config/commands.ts";
import { DEFAULT_FILE } from "../config/toml.ts";
import { command, CommandError, UsageError } from "../flags.ts";
import { type Account, accountNamed, nameOf } from "../process/accounts.ts";
import { makeReadable } from "../process/file-permissions.ts";
import { ACCOUNT, ACCOUNT_NAME, backupDropIn, STATE, unitOf } from "./unit.ts";

const EXECUTABLE = "/usr/local/bin/skein";
const UNIT = "/etc/systemd/system/skein.service";
const DROP_IN = `${UNIT}.d/backups.conf`;
const ACCOUNTS = "/etc/sysusers.d/skein.conf";
const RUNNABLE = 0o755;
/** Path of the sources inside the executable. */
const EMBEDDED_PREFIX = "/$bunfs/";
/** Exists if systemd is running. */
const SYSTEMD = "/run/systemd/system";

const root = {
  value: "DIR",
  default: "/",
  description:
    "root directory of the system to change; for other roots than /, systemd is not called",
} as const;

export const printService = command({
  description: "prints the systemd unit of the server",
  examples: ["skein service print", "skein service print --executable /opt/skein/skein"],
  flags: {
    executable: {
      value: "FILE",
      default: EXECUTABLE,
      description: "path of the executable in the unit",
    },
  },
  async run({ executable }) {
    process.stdout.write(unitOf({ executable }));
  },
});

export const installService = command({
  description: "installs this executable as a systemd service, and starts it",
  examples: ["sudo skein service install", "sudo skein service install --backup-to /mnt/backups"],
  flags: {
    executable: { value: "FILE", description: "the executable to install (default: this one)" },
    "backup-to": {
      value: "DIR",
      description: "back up to this directory every night, and allow the service to write there",
    },
    root,
  },
  notes: `Copies the executable to ${EXECUTABLE}. Settings are in ${DEFAULT_FILE}, data in
${STATE}. The service can write there, to ${STATE}-backups, and to DIR of --backup-to.`,
  async run({ executable = ownExecutable(), "backup-to": backups, root: rootFolder }) {
    const path = backups === undefined ? undefined : backupsIn(backups, rootFolder);
    put(join(rootFolder, ACCOUNTS), ACCOUNT);
    copyExecutable(resolve(executable), join(rootFolder, EXECUTABLE));
    put(join(rootFolder, UNIT), unitOf({ executable: EXECUTABLE }));
    if (path !== undefined) put(join(rootFolder, DROP_IN), backupDropIn(path));
    createSettings(join(rootFolder, DEFAULT_FILE), settingsText({ isService: true }));
    if (!isRunning(rootFolder)) {
      if (path !== undefined) printOwnerHint(join(rootFolder, path));
      console.log(`Wrote ${UNIT}. systemd is not running here. Before the first start, run:`);
      return console.log(`systemd-sysusers && chown ${ACCOUNT_NAME}: ${DEFAULT_FILE}`);
    }
    printSteps("systemd-sysusers", ACCOUNTS);
    makeReadable(DEFAULT_FILE, serviceAccount());
    if (path !== undefined) printOwnerHint(path);
    printSteps("systemctl", "daemon-reload");
    printSteps("systemctl", "enable", "skein.service");
    printSteps("systemctl", "restart", "skein.service");
    console.log("Skein is running. To see its log: journalctl -u skein");
  },
});

function serviceAccount(): Account {
  const account = accountNamed(ACCOUNT_NAME);
  if (account) return account;
  throw new CommandError(`/etc/passwd has no account ${ACCOUNT_NAME}: create it, then try again`);
}

/** systemd hides these from the service. */
const HIDDEN = /^\/(home|root|run\/user|tmp|var\/tmp)(\/|$)/;

function backupsIn(directory: string, rootFolder: string): string {
  const path = withoutEnd(normalize(directory), /\//);
  if (!isAbsolute(path) || /[\s"'\\]/.test(path)) {
    throw new UsageError("--backup-to must be an absolute path without spaces or quotes");
  }
  if (HIDDEN.test(path)) {
    throw new CommandError(
      `the service cannot access ${path}, which systemd hides from it: choose another directory`,
    );
  }
  if (!existsSync(join(rootFolder, path))) {
    throw new CommandError(`There is no directory ${path}. Create it, or mount its disk first`);
  }
  return path;
}

/** Prints what the operator must do if the service cannot write to the backup directory. */
function printOwnerHint(path: string): void {
  const owner = nameOf(statSync(path).uid);
  if (owner === ACCOUNT_NAME) return;
  console.log(`${path} belongs to ${owner}. Next: chown ${ACCOUNT_NAME}: ${path}`);
}

export const uninstallService = command({
  description: "stops and removes the systemd service",
  examples: ["sudo skein service uninstall"],
  flags: { root },
  async run({ root: rootFolder }) {
    if (!existsSync(join(rootFolder, UNIT))) throw new CommandError(`there is no ${UNIT}`);
    if (isRunning(rootFolder)) printSteps("systemctl", "disable", "--now", "skein.service");
    for (const path of [UNIT, DROP_IN, ACCOUNTS, EXECUTABLE])
      rmSync(join(rootFolder, path), { force: true });
    if (isRunning(rootFolder)) printSteps("systemctl", "daemon-reload");
    console.log(`Removed the service. Data in ${STATE} and settings in /etc/skein were kept.`);
  },
});

const isRunning = (rootFolder: string) => resolve(rootFolder) === "/" && existsSync(SYSTEMD);

export const isExecutable = () => Bun.main.startsWith(EMBEDDED_PREFIX);

/** In a checkout, the running executable is the JavaScript runtime. */
function ownExecutable(): string {
  if (isExecutable()) return process.execPath;
  throw new CommandError(
    "this is not an executable of Skein: build one, and pass it with --executable",
  );
}

/** A running program cannot be overwritten, so the new file replaces its name. */
function copyExecutable(from: string, to: string): void {
  if (from === to) return;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, `${to}.new`);
  chmodSync(`${to}.new`, RUNNABLE);
  renameSync(`${to}.new`, to);
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw withPath(error, path);
  }
}

function printSteps(program: string, ...args: string[]): void {
  const { success, stderr } = Bun.spawnSync([program, ...args], { stderr: "pipe" });
  if (success) return;
  throw new CommandError(`${program} ${args.join(" ")} failed: ${stderr.toString().trim()}`);
}
