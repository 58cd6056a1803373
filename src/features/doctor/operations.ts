// Whether the server is kept well: backups, limits of the system, and work that was to be done.
import { readFileSync } from "node:fs";
import { DAY_MS, MINUTE_MS } from "../../contract/units.ts";
import { refusedLately } from "../../server/refusing.ts";
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
  const refused = refusedLately(realm);
  if (refused.length === 0) return ok("The disk has refused nothing lately.");
  const whats = [...new Set(refused.map(({ what }) => what))].join(" and ");
  const whys = [...new Set(refused.map(({ why }) => why))];
  const words = `In the last minute the disk has refused ${whats}: ${whys.join(", ")}.`;
  const isFull = whys.every((why) => /full|quota/.test(why));
  return bad("fail", words, isFull ? "make room on it" : "see what the kernel says: dmesg");
}

const BACKUP_DAYS_MAX = 2;

function backup({ realm }: Facts): Finding {
  const { made, failed } = backupState(realm);
  if (!realm.config.backup) {
    const remedy = "have one made every night: skein serve --backup-to PLACE";
    return bad("warn", "No backup is made by itself.", remedy);
  }
  if (failed) return bad("fail", `The last backup failed: ${failed.words}.`, "skein backup run");
  if (!made)
    return bad("warn", "No backup was made yet.", "wait for the night, or skein backup run");
  const at = new Date(made.at).toISOString();
  if (realm.clock.now() - made.at < BACKUP_DAYS_MAX * DAY_MS) {
    return ok(`The newest backup is of ${at}.`);
  }
  return bad("fail", `The newest backup is of ${at}.`, "look into the log, and skein backup run");
}

function drill({ realm }: Facts): Finding {
  const tried = backupState(realm).drill;
  if (!realm.config.backup || !tried) return undefined;
  if (tried.is_good) return ok(`The newest backup was restored and compared: ${tried.words}.`);
  if (tried.is_good === null) {
    const remedy = "give it one with --backup-identity, or try skein restore elsewhere";
    return bad("warn", "Backups are not tried, as the server has no key to them.", remedy);
  }
  const remedy = "skein backup verify, then skein backup run --resend";
  return bad("fail", `The newest backup could not be restored: ${tried.words}.`, remedy);
}

const LIMITS = "/proc/self/limits";
const FILES_MIN = 4_096;

/** Each client that waits has one. */
function openFiles(): Finding {
  const [, limit] = /^Max open files +(\d+)/m.exec(textOf(LIMITS)) ?? [];
  if (limit === undefined) return undefined;
  const words = `The process may have ${limit} files and connections open.`;
  if (Number(limit) >= FILES_MIN) return ok(words);
  const remedy = "raise LimitNOFILE of the unit, or ulimit -n; the unit of skein service has it";
  return bad("warn", words, remedy);
}

const OWN_GROUP = "/proc/self/cgroup";
const MIB = 1_048_576;
const MEMORY_MIB_MIN = 384;

function memory(): Finding {
  const [, group] = /^0::(\/.*)$/m.exec(textOf(OWN_GROUP)) ?? [];
  if (group === undefined) return undefined;
  const most = textOf(`/sys/fs/cgroup${group === "/" ? "" : group}/memory.max`).trim();
  if (!/^\d+$/.test(most)) return ok("No limit of its own is set to the memory of the process.");
  const mib = Math.floor(Number(most) / MIB);
  const words = `The process may use ${mib} MiB of memory.`;
  if (mib >= MEMORY_MIB_MIN) return ok(words);
  return bad("warn", words, `give it ${MEMORY_MIB_MIN} MiB or more`);
}

const OVERDUE_MS = 10 * MINUTE_MS;

/** Mail that is to go out, messages that are to be sent, and the like. */
function work({ realm, is_serving }: Facts): Finding {
  if (!is_serving) return undefined;
  const [first] = [...realm.read.due.sound(() => {}, { limit: 1 })];
  const late_ms = first ? realm.clock.now() - first.at : 0;
  if (late_ms < OVERDUE_MS) return ok("Nothing is left undone.");
  const words = `Work (${first!.kind}) waits since ${new Date(first!.at).toISOString()}.`;
  return bad("warn", words, "the log says why; a restart takes it up again");
}

/** "" where the system has no such file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
