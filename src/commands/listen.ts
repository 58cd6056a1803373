// Reads the addresses that the operator gives: where to listen, and what people type.
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import { UsageError } from "./flags.ts";

const PORT_MAX = 65_535;

/** `HOST:PORT`; an IPv6 host stands in brackets. */
export function listenAddress(text: string, flag = "--listen"): { host: string; port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > PORT_MAX) {
    throw new UsageError(`${flag} is HOST:PORT, such as 127.0.0.1:9400, and not ${text}`);
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

/** Where people reach a server when nobody says: at its own address, or the first of many. */
export function urlOf(host: string, port: number, interfaces = networkInterfaces()): string {
  return isEverywhere(host) ? reachableUrls(host, port, interfaces)[0]! : urlAt(host, port);
}

export const isEverywhere = (host: string) => host === "0.0.0.0" || host === "::";

/** Where a server that listens everywhere may be reached: first by others, then from here. */
export function reachableUrls(
  host: string,
  port: number,
  interfaces: NodeJS.Dict<Pick<NetworkInterfaceInfo, "address" | "family" | "internal">[]>,
): string[] {
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  const outward = all.filter(({ address, internal }) => !internal && !LINK_LOCAL.test(address));
  const four = outward.filter(({ family }) => family === "IPv4");
  const six = host === "::" ? outward.filter(({ family }) => family === "IPv6") : [];
  const addresses = [...four, ...six].map(({ address }) => address);
  return [...addresses, "localhost"].map((address) => urlAt(address, port));
}

/** Nobody types those, and each needs the name of an interface behind it. */
const LINK_LOCAL = /^(?:169\.254\.|fe[89ab][0-9a-f]:)/i;

const urlAt = (host: string, port: number) =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
