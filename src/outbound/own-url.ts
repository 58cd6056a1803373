// Requests the server's public URL as a client would, to check that it leads to this server.
import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

export interface OwnResponse {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  readonly date: string | undefined;
}

interface OwnRequest {
  readonly url: URL;
  /** The IP address to connect to. */
  readonly address?: LookupAddress;
  readonly method?: "GET" | "POST";
  /** Announced in Content-Length but not sent: a proxy with a lower limit rejects it right away. */
  readonly announced_bytes?: number;
  readonly most_ms?: number;
}

const ANSWER_MS = 8_000;
const SECOND_THOUGHTS_MS = 1_000;
const TEXT_BYTES_MAX = 65_536;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** Returns the host name; for an address in brackets, the address. */
const nameOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, "$1");

export function portOf({ protocol, port }: URL): number {
  return Number(port || (protocol === "https:" ? HTTPS_PORT : HTTP_PORT));
}

/** @throws if the name has no address */
export async function addressesOf(url: URL): Promise<LookupAddress[]> {
  const name = nameOf(url);
  const family = isIP(name);
  return family === 0 ? lookup(name, { all: true }) : [{ address: name, family }];
}

/** Accepts any certificate; its validity is checked separately. */
export async function fetchOwnUrl({
  url,
  address,
  method = "GET",
  ...params
}: OwnRequest): Promise<OwnResponse> {
  const isSecure = url.protocol === "https:";
  const announced = params.announced_bytes;
  const options = {
    host: address?.address ?? nameOf(url),
    ...(address && { family: address.family }),
    port: portOf(url),
    path: url.pathname + url.search,
    method,
    agent: false,
    signal: AbortSignal.timeout(params.most_ms ?? ANSWER_MS),
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
      // Some servers send 100 Continue before they check the size.
      const continueResponse = { status: 100, text: "", location: undefined, date: undefined };
      setTimeout(() => {
        resolve(continueResponse);
        request.destroy();
      }, SECOND_THOUGHTS_MS);
    });
    request.on("error", reject);
    if (announced === undefined) request.end();
    else request.flushHeaders();
  });
}

interface PresentedCertificate {
  /** Why clients reject the certificate; undefined if it is valid. */
  readonly failure: string | undefined;
  /** Unix milliseconds. */
  readonly until_ms: number;
}

/** Returns the certificate that clients receive. */
export async function certificateAt(url: URL): Promise<PresentedCertificate> {
  const name = nameOf(url);
  const servername = isIP(name) === 0 ? name : "";
  const { connect } = await import("node:tls");
  return new Promise((resolve, reject) => {
    const params = { host: name, port: portOf(url), servername, rejectUnauthorized: false };
    const socket = connect(params, () => {
      const { valid_to } = socket.getPeerCertificate();
      const error = socket.authorizationError as unknown;
      const trouble = error ? String((error as Error).message ?? error) : undefined;
      resolve({ failure: trouble, until_ms: Date.parse(valid_to) });
      socket.destroy();
    });
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error("it does not respond")));
    socket.on("error", reject);
  });
}
