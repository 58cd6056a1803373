// Runs `skein demo` in its own process, and signs in by its link like a browser.
import { builtBinary } from "../built-executable.ts";
import { ProcessOutput } from "../process-output.ts";
import { MAIN } from "./skein.ts";

// oxlint-disable-next-line no-explicit-any -- responses are untyped JSON
type Json = any;

const LINK = /^http:\/\/localhost:\d+\/accounts\/login\/link\/\S+$/m;

const started = new Set<Bun.Subprocess>();

/** Stops demos that a failed test left running. */
export async function endDemos(): Promise<void> {
  for (const child of started) child.kill("SIGKILL");
  await Promise.all([...started].map((child) => child.exited));
  started.clear();
}

export class Demo {
  private constructor(
    private readonly child: Bun.Subprocess<"ignore", "pipe", "inherit">,
    readonly link: string,
  ) {}

  /** Keeps its data in `folder`; resolves when the link is printed. */
  static async start(folder: string, { every = "0", isSource = false } = {}): Promise<Demo> {
    // The source unpacks nothing into the folder, but takes three times as long to start.
    const program = isSource ? [process.execPath, MAIN] : [await builtBinary()];
    const child = Bun.spawn([...program, "demo", "--every", every], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: folder },
    });
    started.add(child);
    const printed = ProcessOutput.from(child.stdout);
    const link = await printed.untilMatch((lines) =>
      lines.includes("works once") ? LINK.exec(lines)?.[0] : undefined,
    );
    return new Demo(child, link);
  }

  /** Uses the one-time link. */
  async openVisitor(): Promise<Visitor> {
    const entered = await fetch(this.link, { redirect: "manual" });
    if (entered.status !== 302) throw new Error(`the link answered ${entered.status}`);
    const cookies = entered.headers.getSetCookie().map((cookie) => cookie.split(";")[0]!);
    const visitor = new Visitor(new URL(this.link).origin, cookies);
    const { user_id } = await visitor.get("/users/me");
    visitor.id = user_id;
    return visitor;
  }

  /** Resolves to the exit code. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
    this.child.kill(signal);
    return this.child.exited;
  }
}

/** A signed-in visitor of the demo. */
export class Visitor {
  id = 0;

  constructor(
    readonly origin: string,
    readonly cookies: readonly string[],
  ) {}

  send(path: string, init: RequestInit = {}): Promise<Response> {
    const token = this.cookies.find((cookie) => cookie.startsWith("csrftoken="))!.split("=")[1]!;
    const headers = { Cookie: this.cookies.join("; "), "X-CSRFToken": token, Origin: this.origin };
    return fetch(this.origin + path, { ...init, headers });
  }

  async get(path: string): Promise<Json> {
    return (await this.send(`/json${path}`)).json();
  }

  async post(path: string, params: Record<string, string>): Promise<Json> {
    const body = new URLSearchParams(params);
    return (await this.send(`/json${path}`, { method: "POST", body })).json();
  }
}
