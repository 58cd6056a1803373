// Reports output that could not be written, such as to a file on a full disk.
import { reasonOf } from "../../store/system/system-errors.ts";

const nativeLog = console.log;
/** The exit code if the output cannot be written; undefined: the command continues. */
let failureExit: number | undefined;
let hasFailed = false;

/**
 * From now on, a command whose output cannot be written fails. If the reader of the output has
 * ended, as `head` does, the command continues without an error.
 */
export function watchOutput(): void {
  failureExit = 1;
  if (process.stdout.listenerCount("error") > 0) return;
  process.stderr.on("error", () => {});
  process.stdout.on("error", onError);
  // The runtime's own function ignores errors.
  console.log = (...words: unknown[]) => void process.stdout.write(`${words.join(" ")}\n`);
}

export function setOutputFailureExit(code: number): void {
  failureExit = code;
}

/** A server keeps running if its output cannot be written. */
export function ignoreOutputErrors(): void {
  failureExit = undefined;
  console.log = nativeLog;
}

function onError(error: Error & { code?: string }): void {
  const code = failureExit;
  if (code === undefined || hasFailed || error.code === "EPIPE") return;
  hasFailed = true;
  process.stderr.write(`skein: Cannot write the output: ${reasonOf(error)}\n`);
  // The command sets its own exit code after this point.
  process.on("exit", () => {
    process.exitCode = Math.max(code, Number(process.exitCode ?? 0));
  });
}
