// Registers the operator's identity providers with a realm.
import { GuardedClient } from "../../outbound/client.ts";
import { Directory } from "../../outbound/ldap.ts";
import { Provider } from "../../outbound/oidc.ts";
import type { Realm } from "../../realm.ts";
import { registerDirectory } from "../passwords/ldap.ts";
import { registerProviders } from "./providers.ts";

export function registerIdentityProviders(
  realm: Realm,
  report: (label: string, error: unknown) => void,
): void {
  const { ldap, oidc_providers = [], outbound_allow } = realm.config;
  registerDirectory(
    realm,
    ldap && new Directory(ldap, (error) => report("querying the LDAP directory", error)),
  );
  const client = new GuardedClient(outbound_allow);
  const providers = oidc_providers.map((config) => {
    return new Provider(config, client, (error) => report(`querying ${config.name}`, error));
  });
  registerProviders(realm, providers);
}
