// Writes CPU and heap profiles of the process.
import { Session } from "node:inspector/promises";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createFile } from "../config/files.ts";
import { CommandError } from "../flags.ts";

const FOLDER = "debug";
/** Profiles may contain messages. */
const PRIVATE = 0o600;
const PRIVATE_FOLDER = 0o700;

let isUnderWay = false;

/** Writes a CPU profile of some seconds, for the developer tools of browsers. */
export async function writeProfile(data: string, seconds: number): Promise<{ file: string }> {
  if (isUnderWay) throw new CommandError("a profile is already being recorded");
  isUnderWay = true;
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
    await Bun.sleep(seconds * 1_000);
    const { profile } = await session.post("Profiler.stop");
    return { file: writeProfileFile(data, "cpuprofile", JSON.stringify(profile)) };
  } finally {
    session.disconnect();
    isUnderWay = false;
  }
}

/** Writes a heap snapshot for the developer tools of browsers. Blocks the server meanwhile. */
export function writeHeap(data: string): { file: string } {
  const snapshot = Bun.generateHeapSnapshot("v8", "arraybuffer");
  return { file: writeProfileFile(data, "heapsnapshot", new Uint8Array(snapshot)) };
}

function writeProfileFile(data: string, kind: string, content: string | Uint8Array): string {
  const folder = join(data, FOLDER);
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  chmodSync(folder, PRIVATE_FOLDER);
  const time = new Date().toISOString().replaceAll(":", "").replace(/\..*/, "");
  const file = join(folder, `${time}-${crypto.randomUUID().slice(0, 8)}.${kind}`);
  createFile(file, content, PRIVATE);
  return file;
}
