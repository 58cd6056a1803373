// Runs `skein` as an operator does, in its own process: the executable, which starts fast.
import { join } from "node:path";
import { builtBinary } from "../built-executable.ts";
import { listeningUrl, ProcessOutput } from "../process-output.ts";

/** The source of the executable. */
export const MAIN = join(import.meta.dir, "../../src/main.ts");

export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

interface Environment {
  stdin?: string;
  env?: Record<string, string>;
  /** Runs the source, which unpacks nothing, instead of the executable. */
  isSource?: boolean;
}

/** Runs a command until it exits. */
export async function skein(
  args: string[],
  { stdin = "", env, isSource }: Environment = {},
): Promise<CommandResult> {
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

/** Parses the output of a command with --json, line by line. */
export function linesOf({ out }: CommandResult): Record<string, unknown>[] {
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The server prints such a line for each organization. */
const INTRODUCTION = /^(Users can sign in|The link works|.* is deactivated\.).*\n/gm;

export class Server {
  private constructor(
    private readonly child: Bun.Subprocess<"ignore", "pipe", "ignore">,
    /** Everything the process prints, including later output. */
    readonly printed: ProcessOutput,
    readonly url: string,
  ) {}

  /** Resolves when at least that many organizations are printed. */
  static async start(args: string[], organizations = 1): Promise<Server> {
    const listen = args.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
    const child = Bun.spawn([await builtBinary(), "serve", ...listen, ...args], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const printed = ProcessOutput.from(child.stdout);
    const url = await listeningUrl(printed);
    await printed.untilMatch((lines) => (lines.match(INTRODUCTION)?.length ?? 0) >= organizations);
    return new Server(child, printed, url);
  }

  get output(): string {
    return this.printed.textSoFar;
  }

  get pid(): number {
    return this.child.pid;
  }

  /** Resolves to the exit code. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
    this.child.kill(signal);
    return this.child.exited;
  }
}
