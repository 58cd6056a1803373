// The processes of the bench: Skein, the minimal server and the load generator.
import type { Subprocess } from "bun";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable } from "../build.ts";
import { builtBinary } from "../test/built-executable.ts";
import { ProcessOutput } from "../test/process-output.ts";
import { cpuOf } from "./cpu.ts";
import type { TaskName, Tasks } from "./load.ts";

const DIRECTORY = import.meta.dir;
const BARE_SERVER = join(DIRECTORY, "../dist/bare-server");
const STOP_MS = 20_000;

/** A server under measurement; it stops at the end of the block that holds it. */
export class Server implements AsyncDisposable {
  constructor(
    private readonly child: Subprocess<"ignore", "pipe", "inherit">,
    readonly pid: number,
    readonly port: number,
  ) {}

  /** CPU time since its start, in milliseconds. */
  get cpu_ms(): number {
    return cpuOf(this.pid);
  }

  /** Private memory, without the mapped files, in bytes. */
  get memory_bytes(): number {
    return this.memory("RssAnon");
  }

  /** All memory, with the mapped files, in bytes. */
  get resident_bytes(): number {
    return this.memory("VmRSS");
  }

  private memory(name: string): number {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)![1]) * 1_024;
  }

  /** Bytes passed to `write` and its variants: to files, not to sockets. */
  get written_bytes(): number {
    return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${this.pid}/io`, "utf8"))![1]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.kill(this.pid, "SIGTERM");
    const timer = setTimeout(() => process.kill(this.pid, "SIGKILL"), STOP_MS);
    await this.child.exited;
    clearTimeout(timer);
  }
}

interface StartedServer {
  /** A command that runs the server and reports on it. */
  under?: string[];
  rate_limits?: boolean;
  flags?: string[];
}

export async function startSkein(
  directory: string,
  { under = [], rate_limits = false, flags: more = [] }: StartedServer = {},
): Promise<Server> {
  const limits = ["--rate-limits", rate_limits ? "on" : "off"];
  const flags = ["--data", directory, "--listen", "127.0.0.1:0", ...limits, ...more];
  return start([...under, await builtBinary(), "serve", ...flags], under.length > 0);
}

/** Starts any build without limits. `through`: a command that executes the server. */
export function startBuilt(
  executable: string,
  directory: string,
  through: readonly string[] = [],
): Promise<Server> {
  const flags = ["--data", directory, "--listen", "127.0.0.1:0", "--rate-limits", "off"];
  return start([...through, executable, "serve", ...flags], false);
}

/** Compiled like Skein. */
export async function startBareServer(...args: string[]): Promise<Server> {
  return start([await builtBareServer(), ...args], false);
}

let built: Promise<string> | undefined;

function builtBareServer(): Promise<string> {
  return (built ??= buildExecutable(BARE_SERVER, undefined, "bench/bare-server.ts").then(
    () => BARE_SERVER,
  ));
}

async function start(command: string[], isUnder: boolean): Promise<Server> {
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "inherit"] });
  const port = await portOf(child.stdout);
  return new Server(child, isUnder ? childOf(child.pid) : child.pid, port);
}

async function portOf(stdout: ReadableStream<Uint8Array>): Promise<number> {
  const printed = ProcessOutput.from(stdout);
  return printed.untilMatch((lines) => Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(lines)?.[1]));
}

function childOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return Number(children[0]);
}

interface WorkerMessage {
  id: number;
  done?: unknown;
  failed?: string;
}

/** A process that sends requests to the servers. */
export class Load implements Disposable {
  private readonly child: Subprocess;
  private readonly pendingTasks = new Map<number, PromiseWithResolvers<unknown>>();
  private lastId = 0;

  constructor() {
    this.child = Bun.spawn([process.execPath, join(DIRECTORY, "load.ts")], {
      stdio: ["ignore", "inherit", "inherit"],
      ipc: (received: WorkerMessage) => this.handleMessage(received),
    });
  }

  ask<N extends TaskName>(
    name: N,
    input: Parameters<Tasks[N]>[0],
  ): Promise<Awaited<ReturnType<Tasks[N]>>> {
    const id = ++this.lastId;
    const task = Promise.withResolvers<unknown>();
    this.pendingTasks.set(id, task);
    this.child.send({ id, name, input });
    return task.promise as Promise<Awaited<ReturnType<Tasks[N]>>>;
  }

  [Symbol.dispose](): void {
    this.child.kill();
  }

  private handleMessage({ id, done, failed }: WorkerMessage): void {
    const task = this.pendingTasks.get(id);
    this.pendingTasks.delete(id);
    if (failed === undefined) task?.resolve(done);
    else task?.reject(new Error(failed));
  }
}
