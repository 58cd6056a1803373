// Reads the addresses that the operator gives: where to listen, and what people type.
import { UsageError } from "./flags.ts";

const PORT_MAX = 65_535;

/** `HOST:PORT`; an IPv6 host stands in brackets. */
export function listenAddress(text: string): { host: string; port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > PORT_MAX) {
    throw new UsageError(`--listen is HOST:PORT, such as 127.0.0.1:9400, and not ${text}`);
  }
  return { host, port };
}

/** Scheme and host, without a slash at the end. */
export function publicUrl(text: string, flag = "--url"): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new UsageError(`${flag} is an address such as https://chat.example.com, and not ${text}`);
  }
  return url.origin;
}

/** Where people reach a server that listens everywhere, when nobody says: on this machine. */
export function urlOf(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
