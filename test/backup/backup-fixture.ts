// Backups of a test server in a directory of their own, restored as an operator would.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "bun:test";
import { DirectoryTarget } from "../../src/features/backup/directory-target.ts";
import { backUp, type BackupResult, type Order } from "../../src/features/backup/run.ts";
import { verifySets } from "../../src/features/backup/verify.ts";
import { type CommandResult, skein } from "../commands/skein.ts";
import type { TestServer } from "../test-server.ts";

const created: string[] = [];
afterEach(() => {
  for (const directory of created.splice(0)) rmSync(directory, { recursive: true, force: true });
});

export function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), "skein-backup-"));
  created.push(directory);
  return directory;
}

export function backUpTo(
  testServer: TestServer,
  to: string,
  order: Partial<Order> = {},
): Promise<BackupResult> {
  return backUp(testServer.realm, new DirectoryTarget(to), { recipients: [], ...order });
}

/** Restores into a new directory and returns its name. */
export async function restoreInto(from: string, ...args: string[]): Promise<string> {
  const destination = join(scratch(), "data");
  const result = await tryRestore(from, destination, ...args);
  if (result.code !== 0) throw new Error(result.err);
  return destination;
}

export function tryRestore(
  from: string,
  destination: string,
  ...args: string[]
): Promise<CommandResult> {
  return skein(["restore", "--from", from, "--into", destination, ...args]);
}

/** Returns the faults of each set in a directory, by set. */
export async function faultsIn(directory: string): Promise<Record<string, readonly string[]>> {
  const verified = await verifySets(new DirectoryTarget(directory));
  return Object.fromEntries(verified.map(({ id, faults }) => [id, faults]));
}

/** Returns the paths of all backup files in a directory. */
export function filesIn(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true }) as string[];
  return names.filter((name) => name.includes("/") && statSync(join(directory, name)).isFile());
}

export function flip(path: string, bit: number): void {
  const bytes = readFileSync(path);
  bytes[bit >>> 3]! ^= 1 << (bit & 7);
  writeFileSync(path, bytes);
}
