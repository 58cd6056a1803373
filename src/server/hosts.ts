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

/** Organizations come and go while the server runs. */
export interface ServedHosts extends Hosts {
  add(realm: Realm): void;
  drop(realm: Realm): void;
}

/** The only organization answers, whatever the client calls it. */
export function anyHost(only: Realm): ServedHosts {
  const realms = [only];
  return {
    realmAt: () => realms[0],
    isRoot: () => false,
    realms,
    add: (realm) => void realms.push(realm),
    drop: (realm) => void realms.splice(realms.indexOf(realm), 1),
  };
}

/** Each organization answers at the host of its address, and nowhere else. */
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
