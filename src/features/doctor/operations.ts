// Checks operations: backups, system limits, and overdue work.
import { readFileSync } from "node:fs";
import { DAY_MS, MINUTE_MS } from "../../contract/units.ts";
import { recentDiskRefusal } from "../../server/disk-errors.ts";
import { backupState } from "../backup/state.ts";
import { bad, type Check, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";

export const operationsChecks: readonly Check<Facts>[] = [
  { id: "operations.disk", run: disk },
  { id: "operations.backup", run: backup },
  { id: "operations.drill", run: drill },
  { id: "operations.files", run: openFiles },
  { id: "operations.memory", run: memory },
  { id: "operations.work", run: work },
];

function disk({ realm, is_serving }: Facts): Finding {
  if (!is_serving) return undefined;
  const diskRefusal = recentDiskRefusal(realm);
  if (diskRefusal.length === 0) return ok("The disk rejected no writes in the last minute.");
  const operations = [...new Set(diskRefusal.map(({ operation }) => operation))].join(" and ");
  const reasons = [...new Set(diskRefusal.map(({ why }) => why))];
  const text = `In the last minute the disk rejected ${operations}: ${reasons.join(", ")}.`;
  const isFull = reasons.every((reason) => /full|quota/.test(reason));
  return bad("fail", text, isFull ? "free disk space" : "check the kernel log: dmesg");
}

const BACKUP_DAYS_MAX = 2;

function backup({ realm }: Facts): Finding {
  const { made: created, failed } = backupState(realm);
  if (!realm.config.backup) {
    const remedy = "configure nightly backups: skein serve --backup-to PLACE";
    return bad("warn", "No nightly backup is configured.", remedy);
  }
  if (failed) return bad("fail", `The last backup failed: ${failed.words}.`, "skein backup run");
  if (!created)
    return bad(
      "warn",
      "There is no backup yet.",
      "wait for the nightly backup, or run skein backup run",
    );
  const createdAt = new Date(created.at).toISOString();
  if (realm.clock.now() - created.at < BACKUP_DAYS_MAX * DAY_MS) {
    return ok(`The newest backup was made at ${createdAt}.`);
  }
  return bad(
    "fail",
    `The newest backup was made at ${createdAt}.`,
    "check the log, and run skein backup run",
  );
}

function drill({ realm }: Facts): Finding {
  const restoreTest = backupState(realm).drill;
  if (!realm.config.backup || !restoreTest) return undefined;
  if (restoreTest.is_good)
    return ok(`The newest backup was restored and verified: ${restoreTest.words}.`);
  if (restoreTest.is_good === null) {
    const remedy =
      "configure a key with --backup-identity, or test skein restore on another machine";
    return bad(
      "warn",
      "Backups are not tested, since the server has no key to decrypt them.",
      remedy,
    );
  }
  const remedy = "run skein backup verify, then skein backup run --resend";
  return bad("fail", `The newest backup could not be restored: ${restoreTest.words}.`, remedy);
}

const LIMITS = "/proc/self/limits";
const FILES_MIN = 4_096;

/** Each waiting client needs one open file. */
function openFiles(): Finding {
  const [, limit] = /^Max open files +(\d+)/m.exec(textOf(LIMITS)) ?? [];
  if (limit === undefined) return undefined;
  const text = `The process can open ${limit} files and connections.`;
  if (Number(limit) >= FILES_MIN) return ok(text);
  const remedy =
    "raise LimitNOFILE in the systemd unit, or ulimit -n; the unit of skein service has it";
  return bad("warn", text, remedy);
}

const OWN_CGROUP = "/proc/self/cgroup";
const MIB = 1_048_576;
const MEMORY_MIB_MIN = 384;

function memory(): Finding {
  const [, group] = /^0::(\/.*)$/m.exec(textOf(OWN_CGROUP)) ?? [];
  if (group === undefined) return undefined;
  const memoryLimit = textOf(`/sys/fs/cgroup${group === "/" ? "" : group}/memory.max`).trim();
  if (!/^\d+$/.test(memoryLimit)) return ok("The memory of the process is not limited.");
  const mib = Math.floor(Number(memoryLimit) / MIB);
  const text = `The process can use ${mib} MiB of memory.`;
  if (mib >= MEMORY_MIB_MIN) return ok(text);
  return bad("warn", text, `raise the limit to ${MEMORY_MIB_MIN} MiB or more`);
}

const OVERDUE_MS = 10 * MINUTE_MS;

/** Outgoing email, scheduled messages and other jobs. */
function work({ realm, is_serving }: Facts): Finding {
  if (!is_serving) return undefined;
  const [first] = [...realm.read.due.sound(() => {}, { limit: 1 })];
  const late_ms = first ? realm.clock.now() - first.at : 0;
  if (late_ms < OVERDUE_MS) return ok("No background job is overdue.");
  const text = `The job "${first!.kind}" is overdue since ${new Date(first!.at).toISOString()}.`;
  return bad("warn", text, "the log says why; a restart runs it again");
}

/** "" if the system has no such file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
