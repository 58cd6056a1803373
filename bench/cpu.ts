// The CPU time of a process in nanoseconds, including threads that have ended.
import { dlopen, FFIType, ptr } from "bun:ffi";

const NANOSECONDS_PER_MS = 1_000_000;
const MS_PER_SECOND = 1_000;
/**
 * The kernel's number for the CPU clock of another process: the time that the scheduler gave to it.
 */
const SCHEDULED = 2;

const { symbols } = dlopen("libc.so.6", {
  clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
});
const time = new BigInt64Array(2);

/** Sums over /proc/PID/task would miss threads that have ended. */
export function cpuOf(pid: number): number {
  const clock = (~pid << 3) | SCHEDULED;
  if (symbols.clock_gettime(clock, ptr(time)) !== 0) throw new Error(`no process ${pid}`);
  return Number(time[0]) * MS_PER_SECOND + Number(time[1]) / NANOSECONDS_PER_MS;
}
