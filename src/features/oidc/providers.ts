// The servers that vouch for people by OpenID Connect, by name.
import type { OidcProvider } from "../../config.ts";
import type { Realm } from "../../realm.ts";

/** What a sign-in begins with; whoever comes back must bring what belongs to it. */
export interface Begun {
  readonly redirect_uri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** One of them; what fails is refused. */
export interface Voucher {
  readonly config: OidcProvider;
  begin(begun: Begun): Promise<string>;
  finish(answer: URLSearchParams, begun: Begun): Promise<Vouched>;
}

interface Vouched {
  readonly email: string | undefined;
  readonly is_verified: boolean;
  readonly full_name: string | undefined;
}

const vouchers = new WeakMap<Realm, readonly Voucher[]>();

/** Said before anybody signs in. */
export function believe(realm: Realm, believed: readonly Voucher[]): void {
  vouchers.set(realm, believed);
}

export function voucherNamed(realm: Realm, name: string): Voucher | undefined {
  return vouchers.get(realm)?.find(({ config }) => config.name === name);
}
