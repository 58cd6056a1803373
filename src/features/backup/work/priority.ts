// Lowers the priority of a worker thread, if the operating system supports it.
import { FFIType } from "bun:ffi";
import { libc } from "../../../store/system/libc.ts";

const PRIO_PROCESS = 0;
const OWN_PROCESS = 0;
const NICE = 5;

/** On Linux, this affects only the calling thread and not the whole process. */
export function lowerPriority(): void {
  if (process.platform !== "linux") return;
  const { u32, i32 } = FFIType;
  const library = libc({ setpriority: { args: [u32, u32, i32], returns: i32 } });
  library?.setpriority(PRIO_PROCESS, OWN_PROCESS, NICE);
}
