// The processor time of a process, to the nanosecond: of all its threads, in user and system mode.
import { readdirSync, readFileSync } from "node:fs";

const NANOSECONDS_PER_MS = 1_000_000;

export function cpuOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(
      readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0],
    );
  }
  return nanoseconds / NANOSECONDS_PER_MS;
}
