// Executes admin commands in the running server, or in this process if there is none.
import { ownValue } from "../text/input/own-value.ts";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { withTimeout } from "../async/with-timeout.ts";
import {
  type Config,
  type Level,
  DEFAULT_ARCHIVE_DAYS,
  DEFAULT_LISTEN,
  DEFAULT_MAX_UPLOAD_MIB,
} from "../contract/config.ts";
import { Refusal } from "../contract/errors/general.ts";
import { BackupFailed } from "../features/backup/work/target.ts";
import { MovingRefused } from "../features/moving/errors.ts";
import { freezeQueues } from "../features/register/checkpoint.ts";
import type { Realm } from "../realm.ts";
import { openRunning } from "../running.ts";
import type { ReloadResult } from "../server/certificates.ts";
import { actAs } from "../server/actor.ts";
import { NoFreeSpace } from "../store/copy/copy.ts";
import { systemErrorText } from "../store/system/system-errors.ts";
import { DirectoryInUse, lockDirectory } from "../store/lock.ts";
import {
  type AdminCommandName,
  type AdminCommands,
  adminCommands,
} from "./admin/admin-commands.ts";
import { CREATE_ORGANIZATION, NEED_NO_ORGANIZATION } from "./admin/maintenance.ts";
import { CommandError, UsageError } from "./flags.ts";
import { operatorName } from "./process/operator.ts";

/** The result of reloading settings. */
export interface ReloadOutcome {
  /** The settings that changed. */
  readonly applied: string[];
  /** Settings that change only after a restart. */
  readonly needs_restart: string[];
  /** The result for the certificate, if it is in files. */
  readonly certificate?: ReloadResult;
}

export interface CertificateFacts {
  readonly names: readonly string[];
  /** Times as text. */
  readonly from: string;
  readonly until: string;
  readonly is_trusted: boolean;
}

/** Commands that only a running server can process. */
export interface ProcessCommands {
  reload(input: object): Promise<ReloadOutcome>;
  certificate(input: object): Promise<CertificateFacts>;
  renewCertificate(input: object): Promise<CertificateFacts>;
  /** Why organizations cannot be written to, and what was damaged when the server started. */
  health(input: object): Promise<{ url: string; refused: string[]; damaged: string[] }>;
  logLevel(input: { level: Level; minutes: number }): Promise<object>;
  /** The organizations that are served. */
  organizations(input: object): Promise<ServedOrganization[]>;
  /** Returns the path of the written file. */
  profile(input: { seconds: number }): Promise<{ file: string }>;
  heap(input: object): Promise<{ file: string }>;
}

export interface ServedOrganization {
  /** null: it is not set up yet. */
  readonly name: string | null;
  readonly url: string;
  readonly data: string;
  readonly is_deactivated: boolean;
}

type Input<N extends AdminCommandName> = Parameters<AdminCommands[N]>[1];
type Output<N extends AdminCommandName> = Awaited<ReturnType<AdminCommands[N]>>;

const COMMAND_BYTES_MAX = 64 * 1024 * 1024;
/** Another command, or a server that starts or stops, may lock a directory for a moment. */
const WAIT_MS = 100;
const RETRIES_MAX = 100;
/** Time for running commands when the server stops. */
const STOP_MS = 3_000;

/**
 * Executes an admin command, and waits until its result is durable. `overrides`: settings that a
 * running server would already have.
 */
export async function executeCommand<N extends AdminCommandName>(
  directory: string,
  name: N,
  input: Input<N>,
  overrides: Partial<Config> = {},
): Promise<Output<N>> {
  const data = resolve(directory);
  if (!CREATE_ORGANIZATION.has(name) && !existsSync(`${data}/data.mdb`)) {
    throw new CommandError(`there is no organization in ${data}`);
  }
  for (let attempt = 0; ; attempt += 1) {
    try {
      const config = { ...configFor(data), ...overrides };
      const params = { operator: operatorName(), is_serving: false };
      return await onDirectory(config, (realm) => execute(realm, name, input, params));
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      const response = await sendCommand(data, name, input);
      if (response) return doneOf(response) as Output<N>;
      if (attempt >= RETRIES_MAX) throw error;
      await Bun.sleep(WAIT_MS);
    }
  }
}

/** Whether a server or another command has locked the directory. */
export function isInUse(directory: string): boolean {
  try {
    lockDirectory(resolve(directory))();
    return false;
  } catch (error) {
    if (error instanceof DirectoryInUse) return true;
    throw error;
  }
}

/** Requests an operation of the server process, instead of its data. */
export async function requestFromProcess<N extends keyof ProcessCommands>(
  directory: string,
  name: N,
  input: Parameters<ProcessCommands[N]>[0],
): Promise<Awaited<ReturnType<ProcessCommands[N]>>> {
  const data = resolve(directory);
  const response = await sendCommand(data, name, input);
  if (response === undefined) throw new CommandError(`no server is running on ${data}`);
  return doneOf(response) as Awaited<ReturnType<ProcessCommands[N]>>;
}

/** Takes commands on a socket in the directory that only the directory's owner can reach. */
export function acceptCommands(
  realm: Realm,
  ofProcess: ProcessCommands,
): { stop(): Promise<void> } {
  const unix = socketIn(realm.config.data);
  // A socket that exists was left by a dead server, since this one holds the lock.
  const server = openSocket(unix, async (request, server) => {
    // Commands may take long, because passwords of thousands of users are hashed in sequence.
    server.timeout(request, 0);
    return Response.json(await handleRequest(realm, ofProcess, request));
  });
  return {
    async stop() {
      await withTimeout(server.stop(), STOP_MS, () => {});
      await server.stop(true);
      rmSync(unix, { force: true });
    },
  };
}

type RequestHandler = (request: Request, server: Bun.Server<undefined>) => Promise<Response>;

function openSocket(unix: string, fetch: RequestHandler): Bun.Server<undefined> {
  try {
    rmSync(unix, { force: true });
    const server = Bun.serve({ unix, maxRequestBodySize: COMMAND_BYTES_MAX, fetch });
    chmodSync(unix, 0o600);
    return server;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const remedy = ownValue(REMEDIES, code ?? "") ?? message;
    throw new CommandError(`cannot create the control socket ${unix}: ${remedy}`);
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  EISDIR: "remove the directory of this name",
  ERR_FS_EISDIR: "remove the directory of this name",
  EOPNOTSUPP: "the file system of the data directory does not support sockets; use another one",
};

type ControlResponse =
  | { done: unknown }
  /** `is_moving`: an import or export was rejected, which has an exit code of its own. */
  | { refused: string; is_moving?: boolean }
  | { failed: string };

async function handleRequest(
  realm: Realm,
  ofProcess: ProcessCommands,
  request: Request,
): Promise<ControlResponse> {
  const name = new URL(request.url).pathname.slice(1);
  const input = await request.json();
  try {
    if (Object.hasOwn(ofProcess, name)) {
      return { done: await ofProcess[name as keyof ProcessCommands](input as never) };
    }
    if (!Object.hasOwn(adminCommands, name)) {
      return { refused: `this server does not know the command ${name}` };
    }
    const operator = request.headers.get(OPERATOR) ?? "";
    const params = { operator, is_serving: true };
    return { done: await execute(realm, name as AdminCommandName, input as never, params) };
  } catch (error) {
    const { message } = error as Error;
    const isPlain = PLAIN.some((kind) => error instanceof kind);
    if (!isPlain) {
      const words = systemErrorText(error);
      return words === undefined ? { failed: message } : { refused: words };
    }
    return { refused: message, is_moving: error instanceof MovingRefused };
  }
}

/** Errors whose message is enough. */
const PLAIN = [Refusal, UsageError, CommandError, BackupFailed, MovingRefused, NoFreeSpace];

function execute<N extends AdminCommandName>(
  realm: Realm,
  name: N,
  input: Input<N>,
  { operator, is_serving }: { operator: string; is_serving: boolean },
): Promise<Output<N>> {
  if (!NEED_NO_ORGANIZATION.has(name) && !realm.read.realm.has(1)) {
    const remedy = "open the link that skein serve prints, or run skein init";
    throw new CommandError(`no organization is set up in ${realm.config.data} yet: ${remedy}`);
  }
  const adminCommand = adminCommands[name] as (
    realm: Realm,
    input: Input<N>,
    is_serving: boolean,
  ) => Promise<unknown>;
  const actor = { via: "command", where: { operator, command: name } } as const;
  return actAs(actor, () => adminCommand(realm, input, is_serving)) as Promise<Output<N>>;
}

/** Only the directory's owner and root can connect, so the name that they state is trusted. */
const OPERATOR = "Skein-Operator";

/** undefined if no server is listening. */
async function sendCommand(data: string, name: string, input: unknown) {
  const body = JSON.stringify(input);
  try {
    const url = `http://localhost/${name}`;
    const headers = { [OPERATOR]: operatorName() };
    const params = { unix: socketIn(data), method: "POST", headers, body, timeout: false };
    const response = await fetch(url, params as RequestInit);
    return (await response.json()) as ControlResponse;
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (NO_SERVER_CODES.has(code)) return undefined;
    throw new CommandError(
      "the server stopped before it responded: check whether the command was executed",
    );
  }
}

const NO_SERVER_CODES = new Set(["ECONNREFUSED", "ELOOP", "ENAMETOOLONG", "ENOENT", "ENOTDIR"]);

function doneOf(response: ControlResponse): unknown {
  if ("refused" in response) {
    const { refused, is_moving } = response;
    throw is_moving ? new MovingRefused(refused) : new CommandError(refused);
  }
  if ("failed" in response) throw new CommandError(`the server failed: ${response.failed}`);
  return response.done;
}

async function onDirectory<T>(config: Config, work: (realm: Realm) => Promise<T>): Promise<T> {
  const realm = await openRunning(config);
  try {
    return await work(realm);
  } finally {
    // Clients that continue to poll must receive the command's events.
    await freezeQueues(realm);
    await realm.close();
  }
}

/** The configuration of a command that starts no server. */
export function configFor(data: string): Config {
  const [host = "", port = ""] = DEFAULT_LISTEN.split(":");
  const url = process.env["SKEIN_URL"] ?? `http://${DEFAULT_LISTEN}`;
  return {
    data,
    host,
    port: Number(port),
    url,
    rate_limits: true,
    web_public_streams: false,
    external_content: true,
    archive_days: DEFAULT_ARCHIVE_DAYS,
    max_upload_mib: DEFAULT_MAX_UPLOAD_MIB,
    upload_quota_mib: 0,
    outbound_allow: [],
    log: "off",
  };
}

function socketIn(data: string): string {
  return `${data}/control.sock`;
}
