// Runs `skein` as an operator does, in a process of its own.
import { join } from "node:path";
import { listeningUrl, Printed } from "../printed.ts";

export const MAIN = join(import.meta.dir, "../../src/main.ts");

export interface Ended {
  code: number;
  out: string;
  err: string;
}

export interface Environment {
  stdin?: string;
  env?: Record<string, string>;
}

/** Runs a command to its end. */
export async function skein(args: string[], { stdin = "", env }: Environment = {}): Promise<Ended> {
  const child = Bun.spawn([process.execPath, MAIN, ...args], {
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, ...env },
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}

/** What a command printed with --json, line by line. */
export function linesOf({ out }: Ended): Record<string, unknown>[] {
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** One line for each organization. */
const INTRODUCED = /^(People sign in|The link works|.* is deactivated\.).*\n/gm;

export class Server {
  private constructor(
    private readonly child: Bun.Subprocess<"ignore", "pipe", "ignore">,
    /** All that it prints, also what comes later. */
    readonly printed: Printed,
    readonly url: string,
  ) {}

  /** Resolves when at least that many organizations are introduced. */
  static async start(args: string[], organizations = 1): Promise<Server> {
    const listen = args.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
    const child = Bun.spawn([process.execPath, MAIN, "serve", ...listen, ...args], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const printed = Printed.from(child.stdout);
    const url = await listeningUrl(printed);
    await printed.until((lines) => (lines.match(INTRODUCED)?.length ?? 0) >= organizations);
    return new Server(child, printed, url);
  }

  get output(): string {
    return this.printed.soFar;
  }

  get pid(): number {
    return this.child.pid;
  }

  /** Gives the exit code. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
    this.child.kill(signal);
    return this.child.exited;
  }
}
