// Runs a TLS server as an operator does, and sends requests to it under any host name.
import { connect, type PeerCertificate } from "node:tls";
import { linesOf, MAIN, skein } from "../commands/skein.ts";
import { listeningUrl, ProcessOutput } from "../process-output.ts";

export const NAME = "chat.skein.example";

export interface Account {
  email: string;
  api_key: string;
}

export class TlsServer implements AsyncDisposable {
  /** CA that clients trust. */
  ca = "";

  private constructor(
    readonly child: Bun.Subprocess<"ignore", "pipe", "pipe">,
    readonly out: ProcessOutput,
    readonly log: ProcessOutput,
    readonly data: string,
    /** URL that the server prints. */
    readonly url: string,
    readonly name: string,
  ) {}

  get port(): number {
    return Number(new URL(this.url).port);
  }

  static async start(
    data: string,
    args: readonly string[],
    name = NAME,
    env: Record<string, string> = {},
  ): Promise<TlsServer> {
    const commandLine = [
      "serve",
      "--data",
      data,
      "--listen",
      "127.0.0.1:0",
      "--rate-limits=off",
      ...args,
    ];
    const child = Bun.spawn([process.execPath, MAIN, ...commandLine], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    const [out, log] = [ProcessOutput.from(child.stdout), ProcessOutput.from(child.stderr)];
    const url = await listeningUrl(out).catch(() => {
      throw new Error(log.textSoFar);
    });
    await out.untilMatch((lines) => /^(Users can sign in|The link works)/m.test(lines));
    return new TlsServer(child, out, log, data, url, name);
  }

  get plainUrl(): Promise<string> {
    return this.out.untilMatch((lines) => /^Requests to (\S+) without TLS/m.exec(lines)?.[1]);
  }

  untilLogged(words: string | RegExp): Promise<unknown> {
    return this.log.untilMatch((lines) => lines.search(words) >= 0);
  }

  ask(path: string, account?: Account, init: RequestInit = {}): Promise<Response> {
    const { email, api_key } = account ?? { email: "", api_key: "" };
    const basic = account ? { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` } : {};
    return fetch(`https://127.0.0.1:${this.port}${path}`, {
      ...init,
      headers: { Host: this.name, ...basic },
      tls: { ca: this.ca, serverName: this.name },
    } as RequestInit);
  }

  /** Returns the certificate of a new connection, and whether it is trusted. */
  peerCertificate(): Promise<PeerCertificate & { isBelieved: boolean }> {
    const { port, name: servername, ca } = this;
    return new Promise((resolve, reject) => {
      const socket = connect({
        port,
        host: "127.0.0.1",
        servername,
        ca,
        rejectUnauthorized: false,
      });
      socket.on("error", reject).on("secureConnect", () => {
        resolve({ ...socket.getPeerCertificate(), isBelieved: socket.authorized });
        socket.destroy();
      });
    });
  }

  async cert(verb: "status" | "renew") {
    const result = await skein(["cert", verb, "--data", this.data, "--json"]);
    return result.code === 0 ? linesOf(result)[0]! : { error: result.err };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.exited;
  }
}

/** Creates an organization in a new directory, and returns its owner. */
export async function createOrganization(data: string): Promise<Account> {
  const owner = ["--owner", "olga@example.com", "--full-name", "Olga"];
  const created = await skein(["init", "--data", data, "--name", "Town", ...owner, "--json"]);
  return linesOf(created)[0] as unknown as Account;
}

/** Creates more users. */
export async function createUsers(data: string, count: number): Promise<Account[]> {
  const rows = Array.from({ length: count }, (_, index) => {
    return JSON.stringify({ email: `p${index}@example.com`, full_name: `Person ${index}` });
  });
  const create = ["user", "create", "--data", data, "--from", "-", "--json"];
  return linesOf(await skein(create, { stdin: rows.join("\n") })) as unknown as Account[];
}
