// `skein service …`: has systemd run the server.
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
import { withoutEnd } from "../../text/ends.ts";
import { settingsText } from "../config/commands.ts";
import { DEFAULT_FILE } from "../config/toml.ts";
import { command, CommandError, UsageError } from "../flags.ts";
import { accountOf } from "../process/permitted.ts";
import { ACCOUNT, ACCOUNT_NAME, backupDropIn, STATE, unitOf } from "./unit.ts";

const EXECUTABLE = "/usr/local/bin/skein";
const UNIT = "/etc/systemd/system/skein.service";
const DROP_IN = `${UNIT}.d/backups.conf`;
const ACCOUNTS = "/etc/sysusers.d/skein.conf";
const RUNNABLE = 0o755;
/** Settings may have secrets. */
const SECRET = 0o600;
/** Path of the sources inside the executable. */
const INSIDE = "/$bunfs/";
/** It is there where systemd runs. */
const SYSTEMD = "/run/systemd/system";

const root = {
  value: "DIR",
  default: "/",
  about: "the root of the system to change; systemd is not called if it is another one",
} as const;

export const printService = command({
  about: "prints the systemd unit of the server",
  examples: ["skein service print", "skein service print --executable /opt/skein/skein"],
  flags: { executable: { value: "FILE", default: EXECUTABLE, about: "where the executable is" } },
  async run({ executable }) {
    process.stdout.write(unitOf({ executable }));
  },
});

export const installService = command({
  about: "installs this executable as a systemd service, and starts it",
  examples: ["sudo skein service install", "sudo skein service install --backup-to /mnt/backups"],
  flags: {
    executable: { value: "FILE", about: "the executable, if it is another than this one" },
    "backup-to": {
      value: "DIR",
      about: "backs up to this directory every night, and lets the service write there",
    },
    root,
  },
  notes: `It is copied to ${EXECUTABLE}. Settings are in ${DEFAULT_FILE}, data in
${STATE}. The service can write there, in ${STATE}-backups, and in DIR of --backup-to.`,
  async run({ executable = itself(), "backup-to": backups, root: at }) {
    const place = backups === undefined ? undefined : backupsIn(backups, at);
    put(join(at, ACCOUNTS), ACCOUNT);
    copyExecutable(resolve(executable), join(at, EXECUTABLE));
    put(join(at, UNIT), unitOf({ executable: EXECUTABLE }));
    if (place !== undefined) put(join(at, DROP_IN), backupDropIn(place));
    const isNew = putSettings(join(at, DEFAULT_FILE));
    if (!isRunning(at)) {
      if (place !== undefined) sayOwner(join(at, place));
      return console.log(`${UNIT} is written; systemd does not run here.`);
    }
    tell("systemd-sysusers", ACCOUNTS);
    if (isNew) tell("chown", `${ACCOUNT_NAME}:${ACCOUNT_NAME}`, DEFAULT_FILE);
    if (place !== undefined) sayOwner(place);
    tell("systemctl", "daemon-reload");
    tell("systemctl", "enable", "skein.service");
    tell("systemctl", "restart", "skein.service");
    console.log("Skein runs. Its log: journalctl -u skein");
  },
});

/** systemd hides these from the service. */
const HIDDEN = /^\/(home|root|run\/user|tmp|var\/tmp)(\/|$)/;

function backupsIn(directory: string, at: string): string {
  const path = withoutEnd(normalize(directory), /\//);
  if (!isAbsolute(path) || /[\s"'\\]/.test(path)) {
    throw new UsageError("--backup-to is an absolute path without spaces or quotes");
  }
  if (HIDDEN.test(path)) {
    throw new CommandError(`systemd hides ${path} from the service: choose another directory`);
  }
  if (!existsSync(join(at, path))) {
    throw new CommandError(`There is no directory ${path}. Create it, or mount its disk first`);
  }
  return path;
}

/** Says what is left to do if the service cannot write to the place for backups. */
function sayOwner(path: string): void {
  const owner = accountOf(statSync(path).uid);
  if (owner === ACCOUNT_NAME) return;
  console.log(`${path} belongs to ${owner}. Next: chown ${ACCOUNT_NAME}: ${path}`);
}

export const uninstallService = command({
  about: "stops and removes the systemd service",
  examples: ["sudo skein service uninstall"],
  flags: { root },
  async run({ root: at }) {
    if (!existsSync(join(at, UNIT))) throw new CommandError(`there is no ${UNIT}`);
    if (isRunning(at)) tell("systemctl", "disable", "--now", "skein.service");
    for (const path of [UNIT, DROP_IN, ACCOUNTS, EXECUTABLE])
      rmSync(join(at, path), { force: true });
    if (isRunning(at)) tell("systemctl", "daemon-reload");
    console.log(`Removed. Data in ${STATE} and settings in /etc/skein stay.`);
  },
});

const isRunning = (at: string) => resolve(at) === "/" && existsSync(SYSTEMD);

export const isExecutable = () => Bun.main.startsWith(INSIDE);

/** In a checkout what runs is the runtime, which is no server. */
function itself(): string {
  if (isExecutable()) return process.execPath;
  throw new CommandError("this is no executable: build one, and name it with --executable");
}

/** A program that runs is not written over: another one takes its name. */
function copyExecutable(from: string, to: string): void {
  if (from === to) return;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, `${to}.new`);
  chmodSync(`${to}.new`, RUNNABLE);
  renameSync(`${to}.new`, to);
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Whether it was written: a file that is there stays as it is. */
function putSettings(path: string): boolean {
  if (existsSync(path)) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, settingsText({ isService: true }), { mode: SECRET });
  return true;
}

function tell(program: string, ...args: string[]): void {
  const { success, stderr } = Bun.spawnSync([program, ...args], { stderr: "pipe" });
  if (success) return;
  throw new CommandError(`${program} ${args.join(" ")} failed: ${stderr.toString().trim()}`);
}
