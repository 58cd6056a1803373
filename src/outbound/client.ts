// The only HTTP client for other hosts; connects to private addresses only if they are allowed.
import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";
import { recordOutcome } from "./outcomes.ts";
import { isPublic, isWithin, rangesOf } from "./addresses.ts";

export interface OutboundRequest {
  url: string;
  /** Redirects are followed only for GET without credentials. */
  method?: "GET" | "POST" | "PUT" | "DELETE";
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Requires TLS unless the destination is private. */
  is_secret?: boolean;
  /** Accepted content types, such as text/html; null for any. */
  types: readonly string[] | null;
  bytes_max: number;
  /** Truncates a long response instead of rejecting it. */
  truncates?: boolean;
  /** Host and port that the operator configured, which may have any address. */
  trusted_host?: string;
  /** Returns the body of error responses too. */
  with_failures?: boolean;
}

export interface OutboundResponse {
  status: number;
  /** The final URL after redirects. */
  url: string;
  content_type: string;
  /** The `Retry-After` header. */
  retry_after?: string | undefined;
  /** The `Date` header. */
  date?: string | undefined;
  /** Empty for error responses unless `with_failures` is set. */
  body: Uint8Array;
}

/** The guard rejected the request. */
export class OutboundRefused extends Error {}

/** The destination is not allowed; possibly an attack on internal services. */
export class OutboundForbidden extends OutboundRefused {}

/** The other host was too slow; a later attempt may succeed. */
export class OutboundTimedOut extends OutboundRefused {}

type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

const REDIRECTS_MAX = 3;
/** Timeout for DNS, redirects and the whole response body together. */
const EXCHANGE_MS = 8_000;
const URL_LENGTH_MAX = 4_000;
/** Only the ports of HTTP and HTTPS are allowed among the well-known ports. */
const WELL_KNOWN_PORTS = 1_024;
const WEB_PORTS = [80, 443];

export class GuardedClient {
  private readonly allowed: BlockList;

  /** `allow`: private ranges that may be contacted. */
  constructor(
    allow: readonly string[],
    private readonly resolve: Resolve = (name) => lookup(name, { all: true, order: "ipv4first" }),
    private readonly exchange_ms = EXCHANGE_MS,
  ) {
    this.allowed = rangesOf(allow);
  }

  async send(request: OutboundRequest): Promise<OutboundResponse> {
    const signal = AbortSignal.timeout(this.exchange_ms);
    const { response, url } = await this.requestCounted(request, signal);
    return inTime(responseOf(response, url, request), signal);
  }

  /**
   * Passes the bytes of a response to `take` as they arrive. `take` must read them to the end or
   * cancel.
   */
  async download<T>(
    requested: Pick<OutboundRequest, "url" | "types" | "bytes_max" | "is_secret">,
    read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.timeout(this.exchange_ms);
    const { response } = await this.requestCounted(requested, signal);
    try {
      if (response.statusCode !== 200) {
        throw new OutboundRefused(`it responded with status ${response.statusCode}`);
      }
      checkHeaders(response, requested);
      return await inTime(read(boundedBytes(response, requested.bytes_max)), signal);
    } finally {
      response.destroy();
    }
  }

  private async requestCounted(request: OutboundRequest, signal: AbortSignal) {
    const answered = this.requestWithRedirects(request, signal);
    answered.then(
      () => recordOutcome("web", "ok"),
      () => recordOutcome("web", "failed"),
    );
    return answered;
  }

  /** Follows redirects and returns the final response, whose header has been read. */
  private async requestWithRedirects(request: OutboundRequest, signal: AbortSignal) {
    let url = checkedUrl(request.url);
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const { address, family } = await inTime(this.addressOf(url, request), signal);
      const response = await inTime(exchange(url, address, family, request, signal), signal);
      const isGet = (request.method ?? "GET") === "GET";
      const isOnce = !isGet || request.headers?.["Authorization"] !== undefined;
      const next = isOnce ? undefined : redirectOf(response, url);
      if (next === undefined) return { response, url };
      response.destroy();
      url = next;
    }
    throw new OutboundRefused("it redirects too often");
  }

  /**
   * Resolves the address to connect to. The name is resolved once, because a second answer could
   * differ.
   */
  private async addressOf(url: URL, request: OutboundRequest): Promise<LookupAddress> {
    const name = nameOf(url);
    const family = isIP(name);
    const addresses = family === 0 ? await this.resolve(name) : [{ address: name, family }];
    for (const { address } of url.host === request.trusted_host ? [] : addresses) {
      if (isWithin(this.allowed, address)) continue;
      if (isPublic(address)) {
        if (!request.is_secret || url.protocol === "https:") continue;
        throw new OutboundForbidden(`the connection to ${name} must be encrypted`);
      }
      throw new OutboundForbidden(`${name} has the address ${address}, which is not public`);
    }
    if (!addresses[0]) throw new OutboundRefused(`${name} has no address`);
    return addresses[0];
  }
}

/** Returns the host name; for an address in brackets, the address. */
function nameOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function checkedUrl(text: string, base?: URL): URL {
  const url = text.length > URL_LENGTH_MAX ? null : URL.parse(text, base);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new OutboundForbidden("it is not a web address");
  if (url.username !== "" || url.password !== "")
    throw new OutboundForbidden("it contains a password");
  const port = Number(url.port || WEB_PORTS[0]);
  if (port < WELL_KNOWN_PORTS && !WEB_PORTS.includes(port)) {
    throw new OutboundForbidden(`port ${port} is not allowed`);
  }
  return url;
}

const REDIRECTS = [301, 302, 303, 307, 308];

function redirectOf({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  if (!REDIRECTS.includes(statusCode!) || headers.location === undefined) return undefined;
  return checkedUrl(headers.location, from);
}

/** One request on a new connection. Proxy settings of the environment are ignored. */
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

async function responseOf(
  response: IncomingMessage,
  url: URL,
  request: OutboundRequest,
): Promise<OutboundResponse> {
  const status = response.statusCode!;
  const content_type = response.headers["content-type"] ?? "";
  const retry_after = response.headers["retry-after"];
  const { date } = response.headers;
  const answer = { status, url: url.href, content_type, retry_after, date, body: new Uint8Array() };
  if ((status < 200 || status > 299) && !request.with_failures) {
    response.destroy();
    return answer;
  }
  try {
    checkHeaders(response, request);
    return { ...answer, body: await bodyOf(response, request) };
  } finally {
    response.destroy();
  }
}

function checkHeaders({ headers }: IncomingMessage, { types }: OutboundRequest): void {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (types && !types.includes(type))
    throw new OutboundRefused(`its content type is ${type || "missing"}`);
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw new OutboundRefused(`its content encoding is ${encoding}`);
}

async function bodyOf(
  response: IncomingMessage,
  { bytes_max, truncates }: OutboundRequest,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= bytes_max) continue;
    if (!truncates) throw new OutboundRefused(`it is longer than ${bytes_max} bytes`);
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
  if (length < declared) throw new OutboundRefused("the response is incomplete");
}

/** Limits operations that do not support abort signals. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeoutError = () => reject(new OutboundTimedOut("it did not respond in time"));
    if (signal.aborted) timeoutError();
    signal.addEventListener("abort", timeoutError, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", timeoutError));
  });
}
