// Runs `skein serve` in its own process, and keeps all of its output.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "../built-executable.ts";
import { linesOf, skein } from "../commands/skein.ts";
import { ProcessOutput } from "../process-output.ts";
import { formOf, type Json, type Params } from "../test-server.ts";

/** Starts in a third of the time that the source takes. */
const PROGRAM = await builtBinary();

interface ProcessOptions {
  /** In addition to --data and --listen. */
  flags?: string[];
  env?: Record<string, string>;
  /** A command that runs the server. */
  wrapper?: string[];
}

export interface Account {
  email: string;
  api_key: string;
}

export class ServeProcess implements AsyncDisposable {
  readonly pid: number;
  /** Exit code, or the name of the signal that ended the process. */
  readonly ended: Promise<number | string>;
  private readonly child;
  private readonly printed: ProcessOutput;
  private readonly logged: ProcessOutput;

  constructor(directory: string, { flags = [], env, wrapper = [] }: ProcessOptions = {}) {
    const serve = ["serve", "--data", directory, "--listen", "127.0.0.1:0", ...flags];
    this.child = Bun.spawn([...wrapper, PROGRAM, ...serve], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    this.pid = this.child.pid;
    this.printed = ProcessOutput.from(this.child.stdout);
    this.logged = ProcessOutput.from(this.child.stderr);
    this.ended = this.end();
  }

  get stdoutText(): string {
    return this.printed.textSoFar;
  }

  get stderrText(): string {
    return this.logged.textSoFar;
  }

  get url(): string {
    return /^Skein listens on (\S+)$/m.exec(this.stdoutText)![1]!;
  }

  /** Resolves when the output contains it, or throws if the process ends before. */
  async untilPrinted(words: RegExp): Promise<void> {
    const outputs = [this.printed, this.logged].map((processOutput) =>
      processOutput.untilMatch((text) => words.test(text)),
    );
    await Promise.any(outputs).catch(() => {
      throw new Error(this.stdoutText + this.stderrText);
    });
  }

  async untilServing(): Promise<this> {
    await this.untilPrinted(/Users can sign in|The link works/);
    return this;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async request({ email, api_key }: Account, line: string, params: Params = {}) {
    const [method, path] = line.split(" ") as [string, string];
    const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
    const form = formOf(params);
    const isGet = method === "GET";
    const url = `${this.url}/api/v1${path}${isGet ? `?${form}` : ""}`;
    const response = await fetch(url, { method, headers, ...(!isGet && { body: form }) });
    return { status: response.status, body: (await response.json()) as Json };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  private async end(): Promise<number | string> {
    const code = await this.child.exited;
    await Promise.all([this.printed.readWhole(), this.logged.readWhole()]);
    return this.child.signalCode ?? code;
  }
}

/** Creates a directory with an organization that Olga owns. */
export async function organization(): Promise<{ directory: string; olga: Account } & Disposable> {
  const directory = mkdtempSync(join(tmpdir(), "skein-faults-data-"));
  const names = ["--name", "Town", "--owner", "olga@example.com", "--full-name", "Olga"];
  const created = await skein(["init", "--data", directory, ...names, "--json"]);
  const olga = linesOf(created)[0] as unknown as Account;
  return {
    directory,
    olga,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Parameters of a message to the general channel. */
export function sendParams(content: string): Params {
  return { type: "channel", to: "general", topic: "lunch", content };
}
