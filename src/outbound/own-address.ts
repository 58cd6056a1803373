// Asks at the address that people use, as one of them would, whether it leads to this server.
import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

export interface Told {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  readonly date: string | undefined;
}

export interface Asking {
  readonly url: URL;
  /** At this one of its addresses. */
  readonly at?: LookupAddress;
  readonly method?: "GET" | "POST";
  /** Said to come, and not sent: whoever is not willing to take so much says so before. */
  readonly announced_bytes?: number;
  readonly most_ms?: number;
}

const ANSWER_MS = 8_000;
const SECOND_THOUGHTS_MS = 1_000;
const TEXT_BYTES_MAX = 65_536;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** Of an address in brackets what is in them. */
const nameOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, "$1");

export function portOf({ protocol, port }: URL): number {
  return Number(port || (protocol === "https:" ? HTTPS_PORT : HTTP_PORT));
}

/** Throws where it has none. */
export async function addressesOf(url: URL): Promise<LookupAddress[]> {
  const name = nameOf(url);
  const family = isIP(name);
  return family === 0 ? lookup(name, { all: true }) : [{ address: name, family }];
}

/** Any certificate will do: whether it is good is asked apart. */
export async function askOwn({ url, at, method = "GET", ...asked }: Asking): Promise<Told> {
  const isSecure = url.protocol === "https:";
  const announced = asked.announced_bytes;
  const options = {
    host: at?.address ?? nameOf(url),
    ...(at && { family: at.family }),
    port: portOf(url),
    path: url.pathname + url.search,
    method,
    agent: false,
    signal: AbortSignal.timeout(asked.most_ms ?? ANSWER_MS),
    rejectUnauthorized: false,
    headers: {
      Host: url.host,
      "User-Agent": "Skein",
      Connection: "close",
      ...(announced !== undefined && { "Content-Length": announced, Expect: "100-continue" }),
    },
    ...(isSecure && { servername: isIP(nameOf(url)) === 0 ? nameOf(url) : "" }),
  };
  const { request: send } = await (isSecure ? import("node:https") : import("node:http"));
  return new Promise((resolve, reject) => {
    const request = send(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        if (text.length < TEXT_BYTES_MAX) text += piece;
      });
      const { location, date } = response.headers;
      const end = () => resolve({ status: response.statusCode!, text, location, date });
      response.on("end", end);
      response.on("error", reject);
    });
    request.on("continue", () => {
      // Some say so before they have looked at how much it is.
      const willing = { status: 100, text: "", location: undefined, date: undefined };
      setTimeout(() => {
        resolve(willing);
        request.destroy();
      }, SECOND_THOUGHTS_MS);
    });
    request.on("error", reject);
    if (announced === undefined) request.end();
    else request.flushHeaders();
  });
}

export interface Presented {
  /** Why nobody would believe it; undefined: it is good. */
  readonly trouble: string | undefined;
  /** Milliseconds since 1970. */
  readonly until_ms: number;
}

/** The certificate that clients are shown. */
export async function certificateAt(url: URL): Promise<Presented> {
  const name = nameOf(url);
  const servername = isIP(name) === 0 ? name : "";
  const { connect } = await import("node:tls");
  return new Promise((resolve, reject) => {
    const asked = { host: name, port: portOf(url), servername, rejectUnauthorized: false };
    const socket = connect(asked, () => {
      const { valid_to } = socket.getPeerCertificate();
      const error = socket.authorizationError as unknown;
      const trouble = error ? String((error as Error).message ?? error) : undefined;
      resolve({ trouble, until_ms: Date.parse(valid_to) });
      socket.destroy();
    });
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error("it does not answer")));
    socket.on("error", reject);
  });
}
