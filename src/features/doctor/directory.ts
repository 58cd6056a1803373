// Checks the data directory: owner, permissions, file system and free space.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DAY_MS } from "../../contract/units.ts";
import { secretLostAt } from "../../store/secret.ts";
import { shellWord, sizeText } from "../../store/system/system-errors.ts";
import { bad, type Check, type Finding, ok } from "./check.ts";

export interface DirectoryFacts {
  readonly data: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export const directoryChecks: readonly Check<DirectoryFacts>[] = [
  { id: "directory.owner", run: owner },
  { id: "directory.mode", run: mode },
  { id: "directory.space", run: space },
  { id: "directory.inodes", run: inodes },
  { id: "directory.secrets", run: secrets },
  { id: "directory.filesystem", run: fileSystem },
  { id: "directory.fsync", run: durability },
  { id: "directory.uploads", run: uploads },
  { id: "directory.leftovers", run: leftovers },
  { id: "directory.temporary", run: temporary },
];

/** The files of every data directory. */
const OWN = [
  "data.mdb",
  "data.mdb-log",
  "data.mdb-lock",
  "data.mdb-clean",
  "secrets",
  "lock",
  "backups.json",
];

/** Folders that the server creates when it first needs them. */
const FOLDERS = [
  "uploads",
  ...["files", "thumbnails", "transcoded", "moving"].map((name) => `uploads/${name}`),
  ...["exports", "external", "imports", "snapshots"],
];

function owner({ data }: DirectoryFacts): Finding {
  const own = process.geteuid?.();
  if (own === undefined) return undefined;
  const names = namesIn(data, ["", ...OWN, ...FOLDERS]);
  const unexpected = names.filter((name) => statOf(data, name)?.uid !== own);
  if (unexpected.length === 0)
    return ok("The data directory belongs to the account of the server.");
  const label = unexpected.map((name) => name || "the directory").join(", ");
  const remedy = `run as root: chown -R ACCOUNT ${data}, with the account that runs the server`;
  return bad("fail", `In the data directory, ${label} belongs to another account.`, remedy);
}

function secrets({ data }: DirectoryFacts): Finding {
  const lost = secretLostAt(data);
  if (lost === undefined) return undefined;
  const text = `The secrets file was missing at ${lost.toISOString()}, so a new one was created.`;
  const remedy =
    "stop the server and restore the old file from a backup; if there is none, " +
    `see docs/secrets.md for what to set up again. Then delete ${join(data, "secrets-lost")}`;
  return bad("warn", text, remedy);
}

const GROUP_AND_OTHERS = 0o077;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

function mode({ data }: DirectoryFacts): Finding {
  const open = namesIn(data, ["", ...OWN]).filter((name) => {
    return ((statOf(data, name)?.mode ?? 0) & GROUP_AND_OTHERS) !== 0;
  });
  if (open.length === 0) return ok("No other account on this machine can read the data directory.");
  const label = open.map((name) => name || "the directory").join(", ");
  const remedy = `run skein doctor --fix, or chmod go= ${shellWord(data)} ${shellWord(data)}/*`;
  return bad("warn", `Other accounts on this machine can read ${label}.`, remedy, () => {
    for (const name of open) {
      chmodSync(join(data, name), name === "" ? PRIVATE_FOLDER : PRIVATE_FILE);
    }
  });
}

const GIB = 1_073_741_824;
const FREE_BYTES_MIN = GIB;
const FREE_FRACTION_LOW = 0.05;
const ENOUGH_BYTES = 20 * GIB;

/** A backup, an upgrade and a compaction each need room for a copy. */
function space({ data }: DirectoryFacts): Finding {
  const { bavail, blocks, bsize } = statfsSync(data);
  const free = bavail * bsize;
  const size = statOf(data, "data.mdb")?.size ?? 0;
  const text = `${sizeText(free)} are free; the data has ${sizeText(size)}`;
  if (free < FREE_BYTES_MIN) {
    return bad("fail", `Only ${text}.`, "free disk space, or move the directory to a larger disk");
  }
  const isLow = bavail / blocks < FREE_FRACTION_LOW && free < ENOUGH_BYTES;
  if (free >= 2 * size && !isLow) return ok(`${text}.`);
  return bad("warn", `Only ${text}.`, "free disk space: backups and upgrades copy the data");
}

function inodes({ data }: DirectoryFacts): Finding {
  const { files, ffree } = statfsSync(data);
  if (files === 0) return undefined;
  if (ffree / files >= FREE_FRACTION_LOW) return ok("The file system has enough free inodes.");
  const remedy = "delete small files, or recreate the file system with more inodes";
  return bad("warn", `The file system can create only ${ffree} more files.`, remedy);
}

/** Numbers of file systems in Linux. */
const FILE_SYSTEMS: Readonly<Record<number, [name: string, why: string, state: "warn" | "fail"]>> =
  {
    0x6969: ["NFS", "locks and memory maps are not safe there", "fail"],
    0x517b: ["SMB", "locks and memory maps are not safe there", "fail"],
    0xff534d42: ["CIFS", "locks and memory maps are not safe there", "fail"],
    0xfe534d42: ["SMB 2", "locks and memory maps are not safe there", "fail"],
    0x01021997: ["9p", "locks and memory maps are not safe there", "fail"],
    0x01021994: ["tmpfs", "its data is lost when the machine restarts", "fail"],
    0x858458f6: ["ramfs", "its data is lost when the machine restarts", "fail"],
    0x794c7630: ["overlay", "its data is lost with the container", "warn"],
    0x65735546: ["FUSE", "not all drivers write durably", "warn"],
  };

function fileSystem({ data }: DirectoryFacts): Finding {
  if (process.platform !== "linux") return undefined;
  const fileSystem = FILE_SYSTEMS[statfsSync(data).type >>> 0];
  if (!fileSystem) return ok("The data is on a durable file system.");
  const [name, reason, state] = fileSystem;
  return bad(
    state,
    `The data is on ${name}: ${reason}.`,
    "move it to a local disk of this machine",
  );
}

const SYNC_COUNT = 100;
const SYNCS_MS = 50;
const SYNC_MS_MIN = 0.05;
const SYNC_BYTES = 4_096;

/**
 * Checks that the disk waits for durability. A disk that is implausibly fast acknowledges writes
 * before they are durable.
 */
function durability({ data }: DirectoryFacts): Finding {
  const path = join(data, `.doctor-${crypto.randomUUID()}`);
  const file = openSync(path, "wx", PRIVATE_FILE);
  const times: number[] = [];
  try {
    const bytes = Buffer.alloc(SYNC_BYTES, 1);
    const end = performance.now() + SYNCS_MS;
    while (times.length < SYNC_COUNT && (times.length === 0 || performance.now() < end)) {
      const startedAt = performance.now();
      writeSync(file, bytes);
      fdatasyncSync(file);
      times.push(performance.now() - startedAt);
    }
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
  const median = times.toSorted((a, b) => a - b)[times.length >> 1]!;
  const text = `A write is durable after ${median.toFixed(2)} ms`;
  if (median >= SYNC_MS_MIN) return ok(`${text}.`);
  const remedy =
    "check that the disk, or the host of this machine, flushes its cache when requested";
  return bad("warn", `${text}, which is faster than disks are.`, remedy);
}

function uploads({ data }: DirectoryFacts): Finding {
  const folder = join(data, "uploads");
  if (!existsSync(folder)) return undefined;
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= FREE_BYTES_MIN)
    return ok("Uploads can be written and have enough disk space.");
  const text = `Only ${sizeText(bavail * bsize)} are free for uploads.`;
  return bad("fail", text, "free disk space, or store files in a bucket (--s3-bucket)");
}

/** Temporary files of interrupted copies, backups and restore tests. */
const LEFTOVER = /\.part(-lock)?$|^(backup|check|doctor|dry-run|compact)\.mdb|^drill$|^\.doctor-/;

function leftovers({ data, now }: DirectoryFacts): Finding {
  const folders = ["", "snapshots"].filter((name) => existsSync(join(data, name)));
  const leftoverFiles = folders.flatMap((folder) => {
    const names = readdirSync(join(data, folder)).filter((name) => LEFTOVER.test(name));
    return names.map((name) => join(data, folder, name)).filter((path) => isOld(path, now));
  });
  if (leftoverFiles.length === 0) return ok("There are no leftovers of interrupted work.");
  const remedy = `run skein doctor --fix, or rm -r ${leftoverFiles.map(shellWord).join(" ")}`;
  return bad(
    "warn",
    `There are ${leftoverFiles.length} leftovers of interrupted work.`,
    remedy,
    () => {
      for (const path of leftoverFiles) rmSync(path, { recursive: true, force: true });
    },
  );
}

function isOld(path: string, now: number): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts !== undefined && facts.mtimeMs < now - DAY_MS;
}

const MOUNTS = "/proc/self/mounts";

/** The database library is unpacked there at each start and mapped as executable. */
function temporary(): Finding {
  const folder = resolve(tmpdir());
  const remedy = "set TMPDIR to another directory, such as one inside the data directory";
  const where = `The directory for temporary files, ${folder},`;
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    return bad("fail", `${where} is not writable: the next start would fail.`, remedy);
  }
  if (!hasOption(folder, "noexec")) return ok(`${where} is writable and allows programs to run.`);
  return bad("fail", `${where} does not allow programs to run: the next start would fail.`, remedy);
}

/** Whether the file system of the path is mounted with the option. */
function hasOption(path: string, option: string): boolean {
  if (!existsSync(MOUNTS)) return false;
  const mounts = readFileSync(MOUNTS, "utf8")
    .split("\n")
    .map((line) => line.split(" "));
  const enclosing = mounts.filter(
    ([, mountPoint = "-"]) => mountPoint === "/" || `${path}/`.startsWith(`${mountPoint}/`),
  );
  const [, , , options = ""] =
    enclosing.toSorted((a, b) => a[1]!.length - b[1]!.length).at(-1) ?? [];
  return options.split(",").includes(option);
}

function namesIn(data: string, names: readonly string[]): string[] {
  return names.filter((name) => statOf(data, name) !== undefined);
}

/** undefined if there is no such file, or its folder cannot be read. */
function statOf(data: string, name: string) {
  try {
    return statSync(join(data, name), { throwIfNoEntry: false });
  } catch (error) {
    if ((error as { code?: string }).code === "EACCES") return undefined;
    throw error;
  }
}
