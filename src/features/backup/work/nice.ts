// Lets all others go first, where the system knows of that.
import { FFIType } from "bun:ffi";
import { libc } from "../../../store/system/libc.ts";

const OF_A_PROCESS = 0;
const THIS_ONE = 0;
const NICE = 5;

/** On Linux it is the thread that asks which waits for others, and no other of its process. */
export function yieldToOthers(): void {
  if (process.platform !== "linux") return;
  const { u32, i32 } = FFIType;
  const found = libc({ setpriority: { args: [u32, u32, i32], returns: i32 } });
  found?.setpriority(OF_A_PROCESS, THIS_ONE, NICE);
}
