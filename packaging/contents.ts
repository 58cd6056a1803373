/** Files besides the executable: manual page, completions, licenses, settings and unit. */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../package.json";

export const ROOT = join(import.meta.dir, "..");
export const VERSION = version;

export const ARCHITECTURES = { x64: "amd64", arm64: "arm64" } as const;
export type Arch = keyof typeof ARCHITECTURES;

export interface Contents {
  readonly man: string;
  readonly completions: { readonly bash: string; readonly zsh: string; readonly fish: string };
  /** A settings file with a description of each setting. */
  readonly settings: string;
  /** The settings file of the systemd service, with its data directory. */
  readonly serviceSettings: string;
  readonly license: string;
  readonly notice: string;
  /** Time of the last commit in Unix seconds, the modification time of all files. */
  readonly time: number;
}

let contents: Contents | undefined;

export function contentsOf(): Contents {
  return (contents ??= {
    man: skein("man"),
    completions: {
      bash: skein("completion", "--shell", "bash"),
      zsh: skein("completion", "--shell", "zsh"),
      fish: skein("completion", "--shell", "fish"),
    },
    settings: skein("config", "init", "--to", "-"),
    serviceSettings: skein("config", "init", "--to", "-", "--service"),
    license: textOf("LICENSE"),
    notice: textOf("NOTICE.txt"),
    time: timeOfSources(),
  });
}

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** SOURCE_DATE_EPOCH is the convention of reproducible builds. */
function timeOfSources(): number {
  const received = process.env["SOURCE_DATE_EPOCH"];
  if (received !== undefined) return Number(received);
  if (Bun.which("git") === null) return 0;
  const result = Bun.spawnSync(["git", "log", "-1", "--format=%ct"], options);
  return result.success ? Number(result.stdout.toString()) : 0;
}

const options = { cwd: ROOT };

/** Returns the output of a command, independent of the environment. */
function skein(...args: string[]): string {
  const env = {
    PATH: process.env["PATH"] ?? "",
    // The runtime would cache compiled code in the user's home directory.
    ...{ HOME: tmpdir(), BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
  };
  const result = Bun.spawnSync([process.execPath, "src/main.ts", ...args], { ...options, env });
  if (result.success) return result.stdout.toString();
  throw new Error(`skein ${args.join(" ")} failed: ${result.stderr.toString()}`);
}
