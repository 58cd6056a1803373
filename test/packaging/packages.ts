/** Packages of the executable that tests share, built once per file as fast as possible. */
import { readFileSync } from "node:fs";
import { type Arch, type Contents, contentsOf } from "../../packaging/contents.ts";
import type { Entry } from "../../packaging/tar.ts";
import { builtBinary } from "../built-executable.ts";

/** Architecture of the machine that runs the test. */
export const ARCH = process.arch as Arch;

export async function packageParts(): Promise<{ executable: Uint8Array; contents: Contents }> {
  return { executable: readFileSync(await builtBinary()), contents: contentsOf() };
}

/** This machine's own libraries, in the places where the linker looks for them. */
export async function hostBase(): Promise<Entry[]> {
  const addon = `node_modules/@lmdb/lmdb-linux-${ARCH}/node.napi.glibc.node`;
  const received = [await builtBinary(), addon].map((path) => {
    return Bun.spawnSync(["ldd", path]).stdout.toString();
  });
  const paths = new Set(
    [...received.join("\n").matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!),
  );
  return [...paths].map((path) => {
    return { name: path.slice(1), kind: "file", mode: 0o755, bytes: readFileSync(path) };
  });
}

/** A separate root file system needs root and these programs. */
export function canHaveRoot(...programs: string[]): boolean {
  const absentPrograms = ["unshare", "chroot", "mount", ...programs].filter(
    (name) => !Bun.which(name),
  );
  if (process.getuid?.() !== 0 || absentPrograms.length > 0) return false;
  const attempt = Bun.spawnSync(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]);
  return attempt.success;
}

/** Runs shell commands in a mount namespace of their own. */
export function shell(lines: string, env: Record<string, string>) {
  const run = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", lines];
  const result = Bun.spawnSync(run, {
    env: { PATH: process.env["PATH"]!, ...env },
    stderr: "pipe",
  });
  return { code: result.exitCode, out: result.stdout.toString(), err: result.stderr.toString() };
}
