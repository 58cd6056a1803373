// Remembers browsers of a user, so that attackers elsewhere cannot lock the user out.
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Realm } from "../../realm.ts";
import { cookie, cookieOf } from "../../server/caller/cookies.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { encryptText, decryptText } from "../secrets/encrypted.ts";

const KNOWN_SECONDS = 365 * DAY_SECONDS;
const ID_BYTES = 16;
const SIGNING_CONTEXT = "known browser";

/** The user of the browser, and its number among that user's browsers. */
interface KnownBrowser {
  readonly user_id: number;
  /** The user name in the directory. */
  readonly username?: string | undefined;
  readonly id: string;
}

/** Must be set at every sign-in. The cookie does not grant access. */
export function knownBrowserCookie(
  realm: Realm,
  request: Request,
  { user_id, username }: Omit<KnownBrowser, "id">,
): string {
  const before = knownBrowserOf(realm, request);
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
  const id = before?.user_id === user_id ? before.id : random.toString("base64url");
  const value = encryptText(
    realm,
    JSON.stringify({ user_id, username, id } satisfies KnownBrowser),
    SIGNING_CONTEXT,
  );
  return cookie(realm, request, "known", { value, seconds: KNOWN_SECONDS });
}

/** The key under which failed passwords of this name are counted in a known browser. */
export function attemptKeyFor(realm: Realm, request: Request, name: string): string | undefined {
  const knownBrowser = knownBrowserOf(realm, request);
  if (knownBrowser === undefined) return undefined;
  const ownNames = [
    realm.read.users.get(knownBrowser.user_id)?.delivery_email,
    knownBrowser.username,
  ];
  const isOwnName = ownNames.some((item) => item !== undefined && foldedAddress(item) === name);
  return isOwnName ? `browser ${knownBrowser.id} of ${knownBrowser.user_id}` : undefined;
}

/** The user who signed in last in this browser. */
export const lastUserIn = (realm: Realm, request: Request): number | undefined =>
  knownBrowserOf(realm, request)?.user_id;

function knownBrowserOf(realm: Realm, request: Request): KnownBrowser | undefined {
  const sealed = cookieOf(realm, request, "known");
  const text = sealed && decryptText(realm, sealed, SIGNING_CONTEXT);
  return text ? (JSON.parse(text) as KnownBrowser) : undefined;
}
