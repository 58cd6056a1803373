// The processor time of a process, to the nanosecond: of all its threads, those that ended too.
import { dlopen, FFIType, ptr } from "bun:ffi";

const NANOSECONDS_PER_MS = 1_000_000;
const MS_PER_SECOND = 1_000;
/** Of another process's clock, as the kernel numbers them: what the scheduler gave to it. */
const SCHEDULED = 2;

const { symbols } = dlopen("libc.so.6", {
  clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
});
const time = new BigInt64Array(2);

/** Sums over /proc/PID/task would lose what an ended thread had used. */
export function cpuOf(pid: number): number {
  const clock = (~pid << 3) | SCHEDULED;
  if (symbols.clock_gettime(clock, ptr(time)) !== 0) throw new Error(`no process ${pid}`);
  return Number(time[0]) * MS_PER_SECOND + Number(time[1]) / NANOSECONDS_PER_MS;
}
