// Parses addresses: where to listen, and the public URL.
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import type { Address } from "../server/listening.ts";
import { UsageError } from "./flags.ts";

const PORT_MAX = 65_535;

/** Parses `HOST:PORT`; an IPv6 host is in brackets. */
export function listenAddress(text: string, flag = "--listen"): { host: string; port: number } {
  const [, bracketed, hostName, digits] =
    /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? hostName;
  const port = Number(digits);
  if (host === undefined || port > PORT_MAX) {
    throw new UsageError(`${flag} must be HOST:PORT, such as 127.0.0.1:9400, not ${text}`);
  }
  return { host, port };
}

/** Rejects two addresses of this server that cannot be used at the same time, by flag. */
export function rejectEqualAddresses(addresses: Record<string, Address | undefined>): void {
  const all = Object.entries(addresses).filter(([, address]) => address && address.port !== 0);
  for (const [index, [flag, address]] of all.entries()) {
    const other = all.slice(0, index).find(([, earlier]) => overlaps(earlier!, address!));
    if (other === undefined) continue;
    const text = `${flag} must use another port or host than ${other[0]}`;
    throw new UsageError(`${text}: both use port ${address!.port}`);
  }
}

/** Whether the system rejects the second listener: one on all interfaces takes each of them. */
function overlaps(a: Address, b: Address): boolean {
  if (a.port !== b.port) return false;
  const hosts = [a.host, b.host].map((host) => (host === "localhost" ? "127.0.0.1" : host));
  if (hosts[0] === hosts[1] || hosts.includes("::")) return true;
  return hosts.includes("0.0.0.0") && !hosts.some((host) => host.includes(":"));
}

/** Returns scheme and host without a trailing slash. */
export function publicUrl(text: string, flag = "--url"): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    const hasPath = url !== null && url.pathname !== "/";
    const words = hasPath ? "must be a URL without a path" : "must be a URL";
    throw new UsageError(`${flag} ${words}, such as https://chat.example.com, not ${text}`);
  }
  return url.origin;
}

/** Returns the URL if none is configured: the listening address, or the first of several. */
export function urlOf(host: string, port: number, interfaces = networkInterfaces()): string {
  return isEverywhere(host) ? reachableUrls(host, port, interfaces)[0]! : urlAt(host, port);
}

export const isEverywhere = (host: string) => host === "0.0.0.0" || host === "::";

/** URLs of a server that listens on all interfaces: first those for other machines. */
export function reachableUrls(
  host: string,
  port: number,
  interfaces: NodeJS.Dict<Pick<NetworkInterfaceInfo, "address" | "family" | "internal">[]>,
): string[] {
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  const externalAddresses = all.filter(
    ({ address, internal }) => !internal && !LINK_LOCAL.test(address),
  );
  const four = externalAddresses.filter(({ family }) => family === "IPv4");
  const six = host === "::" ? externalAddresses.filter(({ family }) => family === "IPv6") : [];
  const addresses = [...four, ...six].map(({ address }) => address);
  return [...addresses, "localhost"].map((address) => urlAt(address, port));
}

/** Link-local addresses are impractical: each requires an interface name. */
const LINK_LOCAL = /^(?:169\.254\.|fe[89ab][0-9a-f]:)/i;

const urlAt = (host: string, port: number) =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
