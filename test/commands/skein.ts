// Runs `skein` as an operator does, in a process of its own: the executable, which starts at once.
import { join } from "node:path";
import { builtBinary } from "../binary.ts";
import { listeningUrl, Printed } from "../printed.ts";

/** The source of the same. */
export const MAIN = join(import.meta.dir, "../../src/main.ts");

export interface Ended {
  code: number;
  out: string;
  err: string;
}

export interface Environment {
  stdin?: string;
  env?: Record<string, string>;
  /** Its source is run: it is no executable, and unpacks nothing. */
  isSource?: boolean;
}

/** Runs a command to its end. */
export async function skein(
  args: string[],
  { stdin = "", env, isSource }: Environment = {},
): Promise<Ended> {
  const program = isSource ? [process.execPath, MAIN] : [await builtBinary()];
  const child = Bun.spawn([...program, ...args], {
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
    const child = Bun.spawn([await builtBinary(), "serve", ...listen, ...args], {
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
