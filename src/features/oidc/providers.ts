// The configured OpenID Connect identity providers, by name.
import type { OidcProvider } from "../../contract/config.ts";
import type { Realm } from "../../realm.ts";

/** State of a started sign-in, which the response must match. */
interface StartedSignIn {
  readonly redirect_uri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** An identity provider. Errors are thrown as responses. */
export interface IdentityProvider {
  readonly config: OidcProvider;
  begin(started: StartedSignIn): Promise<string>;
  finish(response: URLSearchParams, started: StartedSignIn): Promise<VerifiedIdentity>;
}

interface VerifiedIdentity {
  readonly email: string | undefined;
  /** undefined if the provider does not say. */
  readonly is_verified: boolean | undefined;
  readonly full_name: string | undefined;
}

const providers = new WeakMap<Realm, readonly IdentityProvider[]>();

/** Must be called before the first sign-in, and again after changes. */
export function registerProviders(realm: Realm, registered: readonly IdentityProvider[]): void {
  providers.set(realm, registered);
}

export function providerNamed(realm: Realm, name: string): IdentityProvider | undefined {
  return providers.get(realm)?.find(({ config }) => config.name === name);
}
