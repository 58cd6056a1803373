// Tells a realm of the other servers that say who somebody is, as the operator has named them.
import { GuardedClient } from "../../outbound/client.ts";
import { Directory } from "../../outbound/directory.ts";
import { Provider } from "../../outbound/provider.ts";
import type { Realm } from "../../realm.ts";
import { askDirectory } from "../passwords/directory.ts";
import { registerProviders } from "./providers.ts";

export function meetVouchers(realm: Realm, report: (what: string, error: unknown) => void): void {
  const { ldap, oidc_providers = [], outbound_allow } = realm.config;
  askDirectory(realm, ldap && new Directory(ldap, (error) => report("asking LDAP", error)));
  const client = new GuardedClient(outbound_allow);
  const providers = oidc_providers.map((config) => {
    return new Provider(config, client, (error) => report(`asking ${config.name}`, error));
  });
  registerProviders(realm, providers);
}
