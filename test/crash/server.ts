// The executable on its own directory: set up, started, stopped and restarted.
import type { Subprocess } from "bun";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtBinary } from "../built-executable.ts";
import { listeningUrl, ProcessOutput } from "../process-output.ts";

export interface Account {
  user_id: number;
  email: string;
  api_key: string;
}

/** Everyone is in the initial channels. Olga is the owner. */
export const PEOPLE = ["olga", "ada", "bo", "cy", "di"] as const;
export type Person = (typeof PEOPLE)[number];

/** Below the ephemeral ports, or a client could connect to itself. */
const PORT_FIRST = 20_000;
const PORTS = 12_000;

const children = new Set<Subprocess>();

/** Kills servers that a failed test left running. */
export function killAll(): void {
  for (const child of children) child.kill("SIGKILL");
}

export class Server {
  readonly port = freePort();
  readonly url = `http://127.0.0.1:${this.port}`;
  /** Errors that the process has logged. */
  readonly errors: string[] = [];
  private child: Subprocess<"ignore", "pipe", "pipe"> | undefined;
  private listening: Promise<unknown> = Promise.resolve();

  /** `wrapper`: a command that runs the server. */
  constructor(
    readonly directory: string,
    private readonly binary: string,
    private readonly wrapper: string[] = [],
  ) {}

  get pid(): number {
    if (this.child === undefined) throw new Error("the server does not run");
    return this.child.pid;
  }

  /** Throws if the server ended by itself, instead of a client's timeout. */
  check(): void {
    const { child, errors } = this;
    const end = child?.signalCode ?? child?.exitCode ?? null;
    if (end !== null) throw new Error(`it ended with ${end}, and said: ${errors.join("\n")}`);
  }

  /** Resolves when the server listens. */
  async start(): Promise<void> {
    this.spawn();
    await this.listening;
  }

  /** Starts the server without waiting. */
  spawn(): void {
    const { directory, binary, wrapper, port } = this;
    const flags = ["--data", directory, "--listen", `127.0.0.1:${port}`, "--rate-limits", "off"];
    this.child = Bun.spawn([...wrapper, binary, "serve", ...flags], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.add(this.child);
    const { child } = this;
    const gathered = this.gatherErrors(ProcessOutput.from(child.stderr));
    this.listening = listeningUrl(ProcessOutput.from(child.stdout)).catch(async (cause) => {
      await Promise.all([gathered, child.exited]);
      const end = child.signalCode ?? child.exitCode;
      throw new Error(`it ended with ${end}, and said: ${this.errors.join("\n")}`, { cause });
    });
    this.listening.catch(() => {});
  }

  /** Returns the exit code; null if the signal ended it. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const { child } = this;
    if (child === undefined) return null;
    child.kill(signal);
    await child.exited;
    children.delete(child);
    this.child = undefined;
    return child.signalCode === null ? child.exitCode : null;
  }

  /** Stops the server, and kills it while it stops. */
  async killTwice(pause_ms: number): Promise<void> {
    this.child?.kill("SIGTERM");
    await Bun.sleep(pause_ms);
    await this.end("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGKILL");
  }

  private async gatherErrors(printed: ProcessOutput): Promise<void> {
    for await (const line of printed.lines()) {
      if (!/"level":"info"/.test(line)) this.errors.push(line);
    }
  }
}

/** Creates an organization with its users, by the commands that an operator runs. */
export async function setUp(directory: string): Promise<Record<Person, Account>> {
  const binary = await builtBinary();
  const [owner, ...members] = PEOPLE.map((name) => ({
    email: `${name}@example.com`,
    full_name: name[0]!.toUpperCase() + name.slice(1),
  }));
  const created = ["--data", directory, "--json"];
  const names = ["--owner", owner!.email, "--full-name", owner!.full_name];
  const first = accountsPrintedBy([binary, "init", "--name", "Town", ...names, ...created]);
  const file = join(directory, "people");
  writeFileSync(file, members.map((member) => JSON.stringify(member)).join("\n"));
  const rest = accountsPrintedBy([binary, "user", "create", "--from", file, ...created]);
  const accounts = [...first, ...rest].map((account, index) => [PEOPLE[index], account]);
  return Object.fromEntries(accounts) as Record<Person, Account>;
}

function accountsPrintedBy(command: string[]): Account[] {
  const { success, stdout, stderr } = Bun.spawnSync(command, { stdin: "ignore" });
  if (!success) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  const lines = stdout.toString().trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Account);
}

function freePort(): number {
  for (;;) {
    const port = PORT_FIRST + Math.floor(Math.random() * PORTS);
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop();
      return port;
    } catch {}
  }
}
