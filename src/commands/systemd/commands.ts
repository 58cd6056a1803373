// `skein service …`: has systemd run the server.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { command, CommandError } from "../flags.ts";
import { ACCOUNT, unitOf } from "./unit.ts";

const EXECUTABLE = "/usr/local/bin/skein";
const UNIT = "/etc/systemd/system/skein.service";
const ACCOUNTS = "/etc/sysusers.d/skein.conf";
const RUNNABLE = 0o755;
/** Where an executable has its sources. */
const INSIDE = "/$bunfs/";
/** It is there where systemd runs. */
const SYSTEMD = "/run/systemd/system";

const root = {
  value: "DIR",
  default: "/",
  about: "the root of the system that is changed; where it is another, systemd is told nothing",
} as const;

export const printService = command({
  about: "prints the unit with which systemd runs the server",
  examples: ["skein service print", "skein service print --executable /opt/skein/skein"],
  flags: { executable: { value: "FILE", default: EXECUTABLE, about: "where the executable is" } },
  async run({ executable }) {
    process.stdout.write(unitOf({ executable }));
  },
});

export const installService = command({
  about: "has systemd run this executable, now and after every start of the machine",
  examples: ["sudo skein service install"],
  flags: {
    executable: { value: "FILE", about: "the executable, if it is another than this one" },
    root,
  },
  notes: `It is copied to ${EXECUTABLE}. Settings are in /etc/skein/skein.toml, data in
/var/lib/skein.`,
  async run({ executable = itself(), root: at }) {
    put(join(at, ACCOUNTS), ACCOUNT);
    place(resolve(executable), join(at, EXECUTABLE));
    put(join(at, UNIT), unitOf({ executable: EXECUTABLE }));
    if (!isRunning(at)) return console.log(`${UNIT} is written; systemd does not run here.`);
    tell("systemd-sysusers", ACCOUNTS);
    tell("systemctl", "daemon-reload");
    tell("systemctl", "enable", "skein.service");
    tell("systemctl", "restart", "skein.service");
    console.log("Skein runs. Its log: journalctl -u skein");
  },
});

export const uninstallService = command({
  about: "stops the server that systemd runs, and has systemd forget it",
  examples: ["sudo skein service uninstall"],
  flags: { root },
  async run({ root: at }) {
    if (!existsSync(join(at, UNIT))) throw new CommandError(`there is no ${UNIT}`);
    if (isRunning(at)) tell("systemctl", "disable", "--now", "skein.service");
    for (const path of [UNIT, ACCOUNTS, EXECUTABLE]) rmSync(join(at, path), { force: true });
    if (isRunning(at)) tell("systemctl", "daemon-reload");
    console.log("Removed. Data in /var/lib/skein and settings in /etc/skein stay.");
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
function place(from: string, to: string): void {
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

function tell(program: string, ...args: string[]): void {
  const { success, stderr } = Bun.spawnSync([program, ...args], { stderr: "pipe" });
  if (success) return;
  throw new CommandError(`${program} ${args.join(" ")} failed: ${stderr.toString().trim()}`);
}
