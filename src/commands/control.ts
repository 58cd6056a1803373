// Where orders are carried out: by the server that runs on a directory, or else by the command.
import { chmodSync, existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Config,
  DEFAULT_ARCHIVE_DAYS,
  DEFAULT_LISTEN,
  DEFAULT_MAX_UPLOAD_MIB,
} from "../config.ts";
import { Refusal } from "../errors.ts";
import { freezeQueues } from "../features/events/checkpoint.ts";
import type { Realm } from "../realm.ts";
import { DirectoryInUse } from "../store/lock.ts";
import { openHouse } from "../running.ts";
import { Trouble } from "./flags.ts";
import { type OrderName, type Orders, orders } from "./orders.ts";

type Input<N extends OrderName> = Parameters<Orders[N]>[1];
type Output<N extends OrderName> = Awaited<ReturnType<Orders[N]>>;

const ORDER_BYTES_MAX = 64 * 1024 * 1024;
/** Another command holds a directory for a moment, and so does a server that starts or stops. */
const WAIT_MS = 100;
const WAITS_MAX = 100;

/** Carries an order out, and waits until its result is durable. */
export async function carryOut<N extends OrderName>(
  directory: string,
  name: N,
  input: Input<N>,
): Promise<Output<N>> {
  const data = resolve(directory);
  if (name !== "init" && !existsSync(`${data}/data.mdb`)) {
    throw new Trouble(`there is no organization in ${data}`);
  }
  for (let waits = 0; ; waits += 1) {
    try {
      return await onDirectory(data, (realm) => obey(realm, name, input));
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      const answer = await askServer(data, name, input);
      if (answer) return resultOf<N>(answer);
      if (waits >= WAITS_MAX) throw error;
      await Bun.sleep(WAIT_MS);
    }
  }
}

/** Takes orders on a socket in the directory, which only the directory's owner can reach. */
export function takeOrders(realm: Realm): { stop(): Promise<void> } {
  const unix = socketIn(realm.config.data);
  // Whatever is there is of a server that is dead: this one holds the directory.
  rmSync(unix, { force: true });
  const server = Bun.serve({
    unix,
    maxRequestBodySize: ORDER_BYTES_MAX,
    fetch: async (request, server) => {
      // An order takes its time: the passwords of thousands are hashed one after the other.
      server.timeout(request, 0);
      return Response.json(await answerTo(realm, request));
    },
  });
  chmodSync(unix, 0o600);
  return {
    async stop() {
      await server.stop();
      rmSync(unix, { force: true });
    },
  };
}

type Told = { done: unknown } | { refused: string } | { failed: string };

async function answerTo(realm: Realm, request: Request): Promise<Told> {
  const name = new URL(request.url).pathname.slice(1);
  if (!Object.hasOwn(orders, name)) return { refused: `this server knows no order ${name}` };
  try {
    return { done: await obey(realm, name as OrderName, (await request.json()) as never) };
  } catch (error) {
    const { message } = error as Error;
    return error instanceof Refusal ? { refused: message } : { failed: message };
  }
}

function obey<N extends OrderName>(realm: Realm, name: N, input: Input<N>): Promise<Output<N>> {
  const order = orders[name] as (realm: Realm, input: Input<N>) => Promise<unknown>;
  return order(realm, input) as Promise<Output<N>>;
}

/** undefined: nobody listens there. */
async function askServer(data: string, name: string, input: unknown) {
  const body = JSON.stringify(input);
  try {
    const url = `http://localhost/${name}`;
    const answer = await fetch(url, { unix: socketIn(data), method: "POST", body, timeout: false });
    return (await answer.json()) as Told;
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (NOBODY_LISTENS.has(code)) return undefined;
    throw new Trouble("the server went away before it answered: look whether it is done");
  }
}

const NOBODY_LISTENS = new Set(["ENOENT", "ECONNREFUSED"]);

function resultOf<N extends OrderName>(told: Told): Output<N> {
  if ("refused" in told) throw new Trouble(told.refused);
  if ("failed" in told) throw new Trouble(`the server failed: ${told.failed}`);
  return told.done as Output<N>;
}

async function onDirectory<T>(data: string, work: (realm: Realm) => Promise<T>): Promise<T> {
  const realm = await openHouse(configFor(data));
  try {
    return await work(realm);
  } finally {
    // Clients that went on polling where they were must find what the order told.
    await freezeQueues(realm);
    await realm.close();
  }
}

/** Of a command that serves nothing. */
function configFor(data: string): Config {
  const [host = "", port = ""] = DEFAULT_LISTEN.split(":");
  const url = process.env["SKEIN_URL"] ?? `http://${DEFAULT_LISTEN}`;
  return {
    data,
    host,
    port: Number(port),
    url,
    rate_limits: true,
    web_public_streams: false,
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
