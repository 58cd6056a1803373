// Reads cookies, and sets them so that scripts, other sites and other hosts cannot read them.
import type { Realm } from "../../realm.ts";
import { isSecure } from "./scheme.ts";

/** Browsers accept this prefix only from the host itself and over HTTPS. */
const HOST_PREFIX = "__Host-";

type CookieName = "sessionid" | "csrftoken" | "oidc" | "known";

interface CookieValue {
  readonly value: string;
  readonly seconds: number;
  /** Readable for the page's own scripts. */
  readonly isForScripts?: boolean;
}

/** Returns a `Set-Cookie` value. A lifetime of 0 deletes the cookie. */
export function cookie(
  realm: Pick<Realm, "config">,
  request: Request,
  name: CookieName,
  cookieValue: CookieValue,
): string {
  const { value, seconds, isForScripts = false } = cookieValue;
  const own = `${nameIn(realm, request, name)}=${value}`;
  const parts = [own, "Path=/", `Max-Age=${seconds}`, "SameSite=Lax"];
  if (!isForScripts) parts.push("HttpOnly");
  if (isSecure(realm, request)) parts.push("Secure");
  return parts.join("; ");
}

/** Returns the cookie's value in the request; the first of several. */
export function cookieOf(
  realm: Pick<Realm, "config">,
  request: Request,
  name: CookieName,
): string | undefined {
  const header = request.headers.get("cookie");
  if (header === null) return undefined;
  const prefix = `${nameIn(realm, request, name)}=`;
  for (const part of header.split(";")) {
    const pair = part.trim();
    if (pair.startsWith(prefix)) return pair.slice(prefix.length);
  }
  return undefined;
}

function nameIn(realm: Pick<Realm, "config">, request: Request, name: CookieName): string {
  return isSecure(realm, request) ? HOST_PREFIX + name : name;
}
