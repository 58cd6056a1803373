// The built executable on a directory of its own: set up, started, ended, started again.
import type { Subprocess } from "bun";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtBinary } from "../binary.ts";
import { listeningUrl, Printed } from "../printed.ts";

export interface Account {
  user_id: number;
  email: string;
  api_key: string;
}

/** Everyone is in the channels that an organization begins with. Olga owns it. */
export const PEOPLE = ["olga", "ada", "bo", "cy", "di"] as const;
export type Person = (typeof PEOPLE)[number];

/** Below the ports that the system gives to connections, or a client could reach itself. */
const PORT_FIRST = 20_000;
const PORTS = 12_000;

const children = new Set<Subprocess>();

/** For what a test that failed leaves behind. */
export function killAll(): void {
  for (const child of children) child.kill("SIGKILL");
}

export class Server {
  readonly port = freePort();
  readonly url = `http://127.0.0.1:${this.port}`;
  /** What the process logged as its own faults. */
  readonly errors: string[] = [];
  private child: Subprocess<"ignore", "pipe", "pipe"> | undefined;
  private listening: Promise<unknown> = Promise.resolve();

  /** `under`: a command that runs it. */
  constructor(
    readonly directory: string,
    private readonly binary: string,
    private readonly under: string[] = [],
  ) {}

  get pid(): number {
    if (this.child === undefined) throw new Error("the server does not run");
    return this.child.pid;
  }

  /** Did it end by itself? It says so instead of whoever waits for an answer. */
  check(): void {
    const { child, errors } = this;
    const end = child?.signalCode ?? child?.exitCode ?? null;
    if (end !== null) throw new Error(`it ended with ${end}, and said: ${errors.join("\n")}`);
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    this.spawn();
    await this.listening;
  }

  /** Starts it, and waits for nothing. */
  spawn(): void {
    const { directory, binary, under, port } = this;
    const flags = ["--data", directory, "--listen", `127.0.0.1:${port}`, "--rate-limits", "off"];
    this.child = Bun.spawn([...under, binary, "serve", ...flags], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.add(this.child);
    const { child } = this;
    const gathered = this.gatherErrors(Printed.from(child.stderr));
    this.listening = listeningUrl(Printed.from(child.stdout)).catch(async (cause) => {
      await Promise.all([gathered, child.exited]);
      const end = child.signalCode ?? child.exitCode;
      throw new Error(`it ended with ${end}, and said: ${this.errors.join("\n")}`, { cause });
    });
    this.listening.catch(() => {});
  }

  /** Gives the exit code; null when it died of the signal. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const { child } = this;
    if (child === undefined) return null;
    child.kill(signal);
    await child.exited;
    children.delete(child);
    this.child = undefined;
    return child.signalCode === null ? child.exitCode : null;
  }

  /** Tells it to stop, and kills it on its way. */
  async endTwice(pause_ms: number): Promise<void> {
    this.child?.kill("SIGTERM");
    await Bun.sleep(pause_ms);
    await this.end("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGKILL");
  }

  private async gatherErrors(printed: Printed): Promise<void> {
    for await (const line of printed.lines()) {
      if (!/"level":"info"/.test(line)) this.errors.push(line);
    }
  }
}

/** An organization with its people, made by the commands that an operator types. */
export async function setUp(directory: string): Promise<Record<Person, Account>> {
  const binary = await builtBinary();
  const [owner, ...members] = PEOPLE.map((name) => ({
    email: `${name}@example.com`,
    full_name: name[0]!.toUpperCase() + name.slice(1),
  }));
  const made = ["--data", directory, "--json"];
  const names = ["--owner", owner!.email, "--full-name", owner!.full_name];
  const first = printed([binary, "init", "--name", "Town", ...names, ...made]);
  const file = join(directory, "people");
  writeFileSync(file, members.map((member) => JSON.stringify(member)).join("\n"));
  const rest = printed([binary, "user", "create", "--from", file, ...made]);
  const accounts = [...first, ...rest].map((account, at) => [PEOPLE[at], account]);
  return Object.fromEntries(accounts) as Record<Person, Account>;
}

function printed(command: string[]): Account[] {
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
