// Records what the tests of this process use: CPU time by file, and servers, tabs and processes.
import { afterEach } from "bun:test";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { onEnd } from "./cleanup.ts";
import type { CountedKind, Usage } from "./check/report.ts";

/** File for the resource record of this process. If unset, nothing is recorded. */
const PATH = process.env["TEST_USAGE"];
/** Linux reports CPU time in this unit to programs, whatever its kernel counts in. */
const TICK_MS = 10;

const usage: Usage = { cpu_ms: {}, counts: { servers: 0, tabs: 0, processes: 0 } };
let accounted_ms = 0;

export function count(what: CountedKind): void {
  usage.counts[what] += 1;
}

/** Assigns the CPU time since the last call to the current test file. */
function writeUsage(): void {
  const file = relative(process.cwd(), Bun.main);
  const now = treeCpuMs(process.pid);
  usage.cpu_ms[file] = (usage.cpu_ms[file] ?? 0) + now - accounted_ms;
  accounted_ms = now;
}

/** A process's own times include those of children that have ended and were waited for. */
function treeCpuMs(pid: number | string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program name, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, ofChildren, systemOfChildren] = fields.slice(11, 15).map(Number);
    const own = (user! + system! + ofChildren! + systemOfChildren!) * TICK_MS;
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean),
    );
    return children.reduce((sum, child) => sum + treeCpuMs(child), own);
  } catch {
    // The process has ended, or the system has no /proc.
    return 0;
  }
}

if (PATH !== undefined) {
  const { spawn, spawnSync } = Bun;
  const countStarts = <F extends (...args: never[]) => unknown>(start: F) =>
    ((...args) => {
      count("processes");
      return start(...args);
    }) as F;
  Object.assign(Bun, { spawn: countStarts(spawn), spawnSync: countStarts(spawnSync) });
  afterEach(writeUsage);
  onEnd(async () => {
    writeUsage();
    appendFileSync(PATH, `${JSON.stringify(usage)}\n`);
  });
}
