// The encrypted state that a browser carries to an identity provider and back once.
import { perRealm, type Realm } from "../../realm.ts";
import { cookie, cookieOf } from "../../server/caller/cookies.ts";
import type { LoginRedirect } from "../pages/login-redirect.ts";
import { encryptText, decryptText } from "../secrets/encrypted.ts";

/** Leaves time to find a password and enter a second factor. */
export const SIGN_IN_SECONDS = 900;
/** Limited because it must fit into the cookie. */
const NEXT_LENGTH_MAX = 1_500;
const SECRET_BYTES = 32;
const USED_MAX = 10_000;
const SIGNING_CONTEXT = "sign-in by a provider";

export interface State {
  /** The provider's name. */
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly expires: number;
  readonly loginRedirect: LoginRedirect;
}

export function newState(realm: Realm, provider: string, loginRedirect: LoginRedirect): State {
  const { next = "", ...others } = loginRedirect;
  const fits = next.length <= NEXT_LENGTH_MAX;
  return {
    provider,
    state: secret(),
    nonce: secret(),
    verifier: secret(),
    expires: realm.read.now + SIGN_IN_SECONDS,
    loginRedirect: { ...others, next: fits ? next : "" },
  };
}

export function stateCookie(realm: Realm, request: Request, state: State): string {
  const value = encryptText(realm, JSON.stringify(state), SIGNING_CONTEXT);
  return cookie(realm, request, "oidc", { value, seconds: SIGN_IN_SECONDS });
}

export function noStateCookie(realm: Realm, request: Request): string {
  return cookie(realm, request, "oidc", { value: "", seconds: 0 });
}

/** undefined if this browser has not started a sign-in. */
export function stateIn(realm: Realm, request: Request): State | undefined {
  const sealed = cookieOf(realm, request, "oidc");
  const text = sealed && decryptText(realm, sealed, SIGNING_CONTEXT);
  return text ? (JSON.parse(text) as State) : undefined;
}

/** Marks the state as used. Returns whether it was still valid. */
export function useState(realm: Realm, { state, expires }: State): boolean {
  const { now } = realm.read;
  const used = usedIn(realm);
  for (const [usedKey, end] of used) {
    if (end > now && used.size < USED_MAX) break;
    used.delete(usedKey);
  }
  if (expires <= now || used.has(state)) return false;
  used.set(state, expires);
  return true;
}

/** Used states in order of use, kept until they would have expired anyway. */
const usedIn = perRealm(() => new Map<string, number>());

function secret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return Buffer.from(bytes).toString("base64url");
}
