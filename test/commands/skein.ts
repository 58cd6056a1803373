// Runs `skein` as an operator does, in a process of its own.
import { join } from "node:path";

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
  private printed = "";

  private constructor(private readonly child: Bun.Subprocess<"ignore", "pipe", "ignore">) {}

  /** Resolves when all that a start prints is printed, for each organization. */
  static async start(args: string[], organizations = 1): Promise<Server> {
    const child = Bun.spawn([process.execPath, MAIN, "serve", "--listen", "127.0.0.1:0", ...args], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const server = new Server(child);
    const text = new TextDecoder();
    for await (const chunk of child.stdout) {
      server.printed += text.decode(chunk, { stream: true });
      const said = server.printed.match(INTRODUCED) ?? [];
      if (said.length === organizations) return server;
    }
    throw new Error(`serve ended early: ${server.printed}`);
  }

  get output(): string {
    return this.printed;
  }

  get url(): string {
    return /^Skein listens on (\S+)$/m.exec(this.printed)![1]!;
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
