// Reports output that could not be written, such as to a file on a full disk.
import { reasonOf } from "../../store/system/system-errors.ts";

const nativeLog = console.log;
/** Whether the command fails if its output cannot be written. */
let isRequired = true;
let hasFailed = false;

/**
 * From now on, a command whose output cannot be written fails. If the reader of the output has
 * ended, as `head` does, the command continues without an error.
 */
export function watchOutput(): void {
  isRequired = true;
  if (process.stdout.listenerCount("error") > 0) return;
  process.stderr.on("error", () => {});
  process.stdout.on("error", onError);
  // The runtime's own function ignores errors.
  console.log = (...words: unknown[]) => void process.stdout.write(`${words.join(" ")}\n`);
}

/** A server keeps running if its output cannot be written. */
export function ignoreOutputErrors(): void {
  isRequired = false;
  console.log = nativeLog;
}

function onError(error: Error & { code?: string }): void {
  if (!isRequired || hasFailed || error.code === "EPIPE") return;
  hasFailed = true;
  process.stderr.write(`skein: Cannot write the output: ${reasonOf(error)}\n`);
  // The command sets its own exit code after this.
  process.on("exit", () => {
    process.exitCode ||= 1;
  });
}
