// The one client that calls other hosts, guarded: nobody can make it call into our own network.
import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";
import { noteOutcome } from "./outcomes.ts";
import { isPublic, isWithin, rangesOf } from "./addresses.ts";

export interface OutboundRequest {
  url: string;
  /** Only a GET without credentials is sent on to where it is redirected. */
  method?: "GET" | "POST" | "PUT" | "DELETE";
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** It goes over the public internet encrypted or not at all. */
  is_secret?: boolean;
  /** What the answer may be, such as text/html; null: anything. */
  types: readonly string[] | null;
  bytes_max: number;
  /** An answer that is longer is cut, in the place of refused. */
  cut?: boolean;
  /** A host, with its port, that the operator has named: it may be at any address. */
  trusted_host?: string;
  /** What is said beside the status of a failure is wanted too. */
  with_failures?: boolean;
}

export interface Answer {
  status: number;
  /** Where it came from in the end. */
  url: string;
  content_type: string;
  /** When to ask again, in the words of the other end. */
  retry_after?: string | undefined;
  /** What the other end has for the time. */
  date?: string | undefined;
  /** Empty unless the status is that of a success, or failures are wanted. */
  body: Uint8Array;
}

/** What the guard does not let pass. */
export class OutboundRefused extends Error {}

/** Of where it was to go, which may be somebody's attempt at what is inside. */
export class OutboundGuarded extends OutboundRefused {}

/** The other end took too long: another time it may not. */
export class OutboundLate extends OutboundRefused {}

export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

const REDIRECTS_MAX = 3;
/** For everything: the name, all redirects, the whole answer. */
const EXCHANGE_MS = 8_000;
const URL_LENGTH_MAX = 4_000;
/** Of the ports that belong to well-known protocols, only those of the web. */
const WELL_KNOWN_PORTS = 1_024;
const WEB_PORTS = [80, 443];

export class GuardedClient {
  private readonly allowed: BlockList;

  /** `allow`: ranges that may be called although they are not public. */
  constructor(
    allow: readonly string[],
    private readonly resolve: Resolve = (name) => lookup(name, { all: true, order: "ipv4first" }),
    private readonly exchange_ms = EXCHANGE_MS,
  ) {
    this.allowed = rangesOf(allow);
  }

  async ask(asked: OutboundRequest): Promise<Answer> {
    const signal = AbortSignal.timeout(this.exchange_ms);
    const { response, url } = await this.counted(asked, signal);
    return inTime(answerOf(response, url, asked), signal);
  }

  /** Hands the bytes of an answer on as they come, to be read to their end or given up. */
  async download<T>(
    asked: Pick<OutboundRequest, "url" | "types" | "bytes_max">,
    take: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.timeout(this.exchange_ms);
    const { response } = await this.counted(asked, signal);
    try {
      if (response.statusCode !== 200) {
        throw new OutboundRefused(`it answers ${response.statusCode}`);
      }
      checkHeaders(response, asked);
      return await inTime(take(boundedBytes(response, asked.bytes_max)), signal);
    } finally {
      response.destroy();
    }
  }

  private async counted(asked: OutboundRequest, signal: AbortSignal) {
    const answered = this.reached(asked, signal);
    answered.then(
      () => noteOutcome("web", "ok"),
      () => noteOutcome("web", "failed"),
    );
    return answered;
  }

  /** The answer that comes in the end, of which the head has been read. */
  private async reached(asked: OutboundRequest, signal: AbortSignal) {
    let url = checkedUrl(asked.url);
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const { address, family } = await inTime(this.addressOf(url, asked), signal);
      const response = await inTime(exchange(url, address, family, asked, signal), signal);
      const isGet = (asked.method ?? "GET") === "GET";
      const isOnce = !isGet || asked.headers?.["Authorization"] !== undefined;
      const next = isOnce ? undefined : redirectOf(response, url);
      if (next === undefined) return { response, url };
      response.destroy();
      url = next;
    }
    throw new OutboundRefused("it redirects too often");
  }

  /** The address to connect to. The name is asked for once, or it could change its answer. */
  private async addressOf(url: URL, asked: OutboundRequest): Promise<LookupAddress> {
    const name = nameOf(url);
    const family = isIP(name);
    const found = family === 0 ? await this.resolve(name) : [{ address: name, family }];
    for (const { address } of url.host === asked.trusted_host ? [] : found) {
      if (isWithin(this.allowed, address)) continue;
      if (isPublic(address)) {
        if (!asked.is_secret || url.protocol === "https:") continue;
        throw new OutboundGuarded(`what is for ${name} is to be encrypted`);
      }
      throw new OutboundGuarded(`${name} is at ${address}, which is not public`);
    }
    if (!found[0]) throw new OutboundRefused(`${name} has no address`);
    return found[0];
  }
}

/** Of an address in brackets what is in them. */
function nameOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function checkedUrl(text: string, base?: URL): URL {
  const url = text.length > URL_LENGTH_MAX ? null : URL.parse(text, base);
  if (!url || !/^https?:$/.test(url.protocol)) throw new OutboundGuarded("it is no web address");
  if (url.username !== "" || url.password !== "") throw new OutboundGuarded("it holds a password");
  const port = Number(url.port || WEB_PORTS[0]);
  if (port < WELL_KNOWN_PORTS && !WEB_PORTS.includes(port)) {
    throw new OutboundGuarded(`port ${port} is not one of the web`);
  }
  return url;
}

const REDIRECTS = [301, 302, 303, 307, 308];

function redirectOf({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  if (!REDIRECTS.includes(statusCode!) || headers.location === undefined) return undefined;
  return checkedUrl(headers.location, from);
}

/** One request, on a connection of its own. This module knows nothing of proxies. */
async function exchange(
  url: URL,
  address: string,
  family: number,
  { method = "GET", headers, body, types }: OutboundRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  const { request: send } = await (isSecure ? import("node:https") : import("node:http"));
  const options = {
    host: address,
    family,
    port: url.port || (isSecure ? 443 : 80),
    path: url.pathname + url.search,
    method,
    agent: false,
    signal,
    headers: {
      Host: url.host,
      "User-Agent": "Skein",
      Accept: types?.join(", ") ?? "*/*",
      "Accept-Encoding": "identity",
      Connection: "close",
      ...headers,
    },
    ...(isSecure && { servername: isIP(nameOf(url)) === 0 ? nameOf(url) : "" }),
  };
  return new Promise((resolve, reject) => {
    const request = send(options, resolve);
    request.on("error", reject);
    request.end(body);
  });
}

async function answerOf(
  response: IncomingMessage,
  url: URL,
  asked: OutboundRequest,
): Promise<Answer> {
  const status = response.statusCode!;
  const content_type = response.headers["content-type"] ?? "";
  const retry_after = response.headers["retry-after"];
  const { date } = response.headers;
  const answer = { status, url: url.href, content_type, retry_after, date, body: new Uint8Array() };
  if ((status < 200 || status > 299) && !asked.with_failures) {
    response.destroy();
    return answer;
  }
  try {
    checkHeaders(response, asked);
    return { ...answer, body: await bodyOf(response, asked) };
  } finally {
    response.destroy();
  }
}

function checkHeaders({ headers }: IncomingMessage, { types }: OutboundRequest): void {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (types && !types.includes(type)) throw new OutboundRefused(`it is ${type || "of no type"}`);
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw new OutboundRefused(`it is encoded as ${encoding}`);
}

async function bodyOf(
  response: IncomingMessage,
  { bytes_max, cut }: OutboundRequest,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= bytes_max) continue;
    if (!cut) throw new OutboundRefused(`it is longer than ${bytes_max} bytes`);
    break;
  }
  return Buffer.concat(chunks).subarray(0, bytes_max);
}

async function* boundedBytes(response: IncomingMessage, bytes_max: number) {
  const declared = Number(response.headers["content-length"] ?? 0);
  let length = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (Math.max(length, declared) > bytes_max) {
      throw new OutboundRefused(`it is longer than ${bytes_max} bytes`);
    }
    yield chunk;
  }
  if (length < declared) throw new OutboundRefused("it ends too early");
}

/** What does not look at the signal itself is waited for no longer than it lasts. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new OutboundLate("it takes too long"));
    if (signal.aborted) late();
    signal.addEventListener("abort", late, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", late));
  });
}
