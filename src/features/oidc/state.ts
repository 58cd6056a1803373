// State that a browser carries to a provider and back: encrypted, valid for one sign-in, and used
// once.
import { perRealm, type Realm } from "../../realm.ts";
import { cookie, cookieOf } from "../../server/asker/cookies.ts";
import type { LoginRedirect } from "../pages/login-redirect.ts";
import { sealedText, unsealedText } from "../secrets/sealed.ts";

/** To find one's password, to be asked for a second factor. */
export const SIGN_IN_SECONDS = 900;
/** It must fit into the cookie. */
const NEXT_LENGTH_MAX = 1_500;
const SECRET_BYTES = 32;
const USED_MAX = 10_000;
const PLACE = "sign-in by a provider";

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
  const value = sealedText(realm, JSON.stringify(state), PLACE);
  return cookie(realm, request, "oidc", { value, seconds: SIGN_IN_SECONDS });
}

export function noStateCookie(realm: Realm, request: Request): string {
  return cookie(realm, request, "oidc", { value: "", seconds: 0 });
}

/** undefined: this browser has not begun to sign in. */
export function stateIn(realm: Realm, request: Request): State | undefined {
  const sealed = cookieOf(realm, request, "oidc");
  const text = sealed && unsealedText(realm, sealed, PLACE);
  return text ? (JSON.parse(text) as State) : undefined;
}

/** Whether it is good still; from now on it is not. */
export function useState(realm: Realm, { state, expires }: State): boolean {
  const { now } = realm.read;
  const used = usedIn(realm);
  for (const [old, end] of used) {
    if (end > now && used.size < USED_MAX) break;
    used.delete(old);
  }
  if (expires <= now || used.has(state)) return false;
  used.set(state, expires);
  return true;
}

/** In the order of their use, until they would have expired anyway. */
const usedIn = perRealm(() => new Map<string, number>());

function secret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return Buffer.from(bytes).toString("base64url");
}
