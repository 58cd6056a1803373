// Cookies: read from requests, and written so that scripts, other sites and other hosts get none.
import type { Realm } from "../../realm.ts";
import { isSecure } from "./scheme.ts";

/** Of an address with https: browsers take such a name only from the host itself, over https. */
const HOST_PREFIX = "__Host-";

export type CookieName = "sessionid" | "csrftoken" | "oidc" | "known";

interface Written {
  readonly value: string;
  readonly seconds: number;
  /** Only a page's own script needs to read one. */
  readonly isForScripts?: boolean;
}

/** What `Set-Cookie` says; nothing is left of a cookie whose time is 0. */
export function cookie(
  realm: Pick<Realm, "config">,
  request: Request,
  name: CookieName,
  written: Written,
): string {
  const { value, seconds, isForScripts = false } = written;
  const own = `${nameIn(realm, request, name)}=${value}`;
  const parts = [own, "Path=/", `Max-Age=${seconds}`, "SameSite=Lax"];
  if (!isForScripts) parts.push("HttpOnly");
  if (isSecure(realm, request)) parts.push("Secure");
  return parts.join("; ");
}

/** The value that came with a request; of several, the first. */
export function cookieOf(
  realm: Pick<Realm, "config">,
  request: Request,
  name: CookieName,
): string | undefined {
  const header = request.headers.get("cookie");
  if (header === null) return undefined;
  const wanted = `${nameIn(realm, request, name)}=`;
  for (const part of header.split(";")) {
    const pair = part.trim();
    if (pair.startsWith(wanted)) return pair.slice(wanted.length);
  }
  return undefined;
}

function nameIn(realm: Pick<Realm, "config">, request: Request, name: CookieName): string {
  return isSecure(realm, request) ? HOST_PREFIX + name : name;
}
