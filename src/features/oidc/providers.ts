// The servers that vouch for people by OpenID Connect, by name.
import type { OidcProvider } from "../../contract/config.ts";
import type { Realm } from "../../realm.ts";

/** State of a started sign-in, which the response must match. */
export interface Begun {
  readonly redirect_uri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** An identity provider. Errors are thrown as responses. */
export interface IdentityProvider {
  readonly config: OidcProvider;
  begin(begun: Begun): Promise<string>;
  finish(answer: URLSearchParams, begun: Begun): Promise<Vouched>;
}

interface Vouched {
  readonly email: string | undefined;
  /** undefined: it is not said. */
  readonly is_verified: boolean | undefined;
  readonly full_name: string | undefined;
}

const providers = new WeakMap<Realm, readonly IdentityProvider[]>();

/** Said before anybody signs in, and when they are others. */
export function registerProviders(realm: Realm, registered: readonly IdentityProvider[]): void {
  providers.set(realm, registered);
}

export function providerNamed(realm: Realm, name: string): IdentityProvider | undefined {
  return providers.get(realm)?.find(({ config }) => config.name === name);
}
