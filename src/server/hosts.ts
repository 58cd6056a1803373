// Maps hosts to organizations.
import type { Realm } from "../realm.ts";

export interface Hosts {
  /** Returns the organization at a host. Port, letter case and a trailing dot are ignored. */
  realmAt(host: string): Realm | undefined;
  /** Whether this is the server's own host, without an organization. */
  isRoot(host: string): boolean;
  /** All organizations of this process. */
  readonly realms: readonly Realm[];
}

/** Hosts whose organizations can change while the server runs. */
export interface ServedHosts extends Hosts {
  add(realm: Realm): void;
  drop(realm: Realm): void;
}

/** A single organization responds at every host. */
export function anyHost(realm: Realm): ServedHosts {
  const realms = [realm];
  return {
    realmAt: () => realms[0],
    isRoot: () => false,
    realms,
    add: (realm) => void realms.push(realm),
    drop: (realm) => void realms.splice(realms.indexOf(realm), 1),
  };
}

/** Each organization responds only at the host of its URL. */
export function hostsOf(served: readonly Realm[], root_host?: string): ServedHosts {
  const realms = [...served];
  const byName = new Map(realms.map((realm) => [hostNameOf(realm.config.url), realm]));
  const root = root_host === undefined ? undefined : hostName(root_host);
  return {
    realmAt: (host) => byName.get(host) ?? byName.get(hostName(host)),
    isRoot: (host) => root !== undefined && hostName(host) === root,
    realms,
    add(realm) {
      realms.push(realm);
      byName.set(hostNameOf(realm.config.url), realm);
    },
    drop(realm) {
      realms.splice(realms.indexOf(realm), 1);
      byName.delete(hostNameOf(realm.config.url));
    },
  };
}

/** Returns the part of the host before the root host, or the whole host. */
export function subdomainOf(url: string, root_host: string): string {
  const name = hostNameOf(url);
  const root = hostName(root_host);
  if (name === root) return "";
  return name.endsWith(`.${root}`) ? name.slice(0, -root.length - 1) : name;
}

/** Returns the host in comparable form, without port; "" if it is invalid. */
export function hostName(host: string): string {
  // Characters that would make URL parsing yield a different host.
  if (/[/?#@\\]/.test(host)) return "";
  return hostNameOf(`http://${host}`);
}

function hostNameOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/\.$/, "") ?? "";
}
