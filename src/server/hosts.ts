// Which organization answers at which host.
import type { Realm } from "../realm.ts";

export interface Hosts {
  /** The organization at a host; a port, letter case and a dot at the end make no difference. */
  realmAt(host: string): Realm | undefined;
  /** Is it the server's own host, where no organization is at home? */
  isRoot(host: string): boolean;
  /** All organizations of this process. */
  readonly realms: readonly Realm[];
}

/** The only organization answers, whatever the client calls it. */
export function anyHost(realm: Realm): Hosts {
  return { realmAt: () => realm, isRoot: () => false, realms: [realm] };
}

/** Each organization answers at the host of its address, and nowhere else. */
export function hostsOf(realms: readonly Realm[], root_host?: string): Hosts {
  const byName = new Map(realms.map((realm) => [hostNameOf(realm.config.url), realm]));
  const root = root_host === undefined ? undefined : hostName(root_host);
  return {
    realmAt: (host) => byName.get(host) ?? byName.get(hostName(host)),
    isRoot: (host) => root !== undefined && hostName(host) === root,
    realms,
  };
}

/** What names the organization of an address among those of a host: all before it, or all. */
export function subdomainOf(url: string, root_host: string): string {
  const name = hostNameOf(url);
  const root = hostName(root_host);
  if (name === root) return "";
  return name.endsWith(`.${root}`) ? name.slice(0, -root.length - 1) : name;
}

/** A host as it is compared, without its port; "" when it is none. */
export function hostName(host: string): string {
  // What a URL would read as something else than a host.
  if (/[/?#@\\]/.test(host)) return "";
  return hostNameOf(`http://${host}`);
}

function hostNameOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/\.$/, "") ?? "";
}
