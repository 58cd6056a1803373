// Sign-in methods: those that the server offers and those that the organization enables.
import type { Static } from "typebox";
import type { Config, OidcProvider } from "../../contract/config.ts";
import type { serverSettingsShape } from "../../contract/shapes/snapshot.ts";
import type { Reader } from "../../realm.ts";
import { OIDC } from "./provider-rules.ts";
import { REALM_ID } from "./rules.ts";

export interface Method {
  /** Its name in the organization's settings. */
  readonly name: string;
  /** The keys in `authentication_methods` of `server_settings` that it sets. */
  readonly flags: readonly string[];
  /** Users type a password on this server's page, so a second factor is required. */
  readonly byPassword: boolean;
  /** Whether unknown users can create an account with it, if the organization accepts new users. */
  readonly makesAccounts: boolean;
  /** The button that leads to the provider. */
  readonly external?: ExternalMethod;
}

/** An entry of `external_authentication_methods`. The URLs are paths of this server. */
interface ExternalMethod {
  readonly name: string;
  readonly display_name: string;
  readonly display_icon: string | null;
  readonly login_url: string;
  readonly signup_url: string;
}

export const EMAIL = "Email";
export const LDAP = "LDAP";
export const REMOTE_USER = "RemoteUser";

const PASSWORD: Method = {
  name: EMAIL,
  flags: ["password", "email"],
  byPassword: true,
  makesAccounts: false,
};

const DIRECTORY: Method = {
  name: LDAP,
  flags: ["password", "ldap"],
  byPassword: true,
  makesAccounts: true,
};

const PROXY: Method = {
  name: REMOTE_USER,
  flags: ["remoteuser"],
  byPassword: false,
  makesAccounts: true,
  external: {
    name: "remoteuser",
    display_name: "SSO",
    display_icon: null,
    login_url: "/accounts/login/sso/",
    signup_url: "/accounts/login/sso/",
  },
};

function methodOf({ name, display_name, display_icon }: OidcProvider): Method {
  return {
    name: OIDC,
    flags: ["openid connect"],
    byPassword: false,
    makesAccounts: true,
    external: {
      name: `oidc:${name}`,
      display_name,
      display_icon,
      login_url: `/accounts/login/social/oidc/${name}`,
      signup_url: `/accounts/register/social/oidc/${name}`,
    },
  };
}

/** The methods that the operator has configured, in the order of the buttons. */
export function offeredMethods(config: Config): readonly Method[] {
  const { ldap, oidc_providers = [], trusted_proxy } = config;
  const vouching = oidc_providers.map(methodOf);
  const externalMethods = [...vouching, ...(trusted_proxy ? [PROXY] : [])];
  return [PASSWORD, ...(ldap ? [DIRECTORY] : []), ...externalMethods];
}

/** The methods that the organization has enabled. */
export function methodsOf(reader: Reader): readonly Method[] {
  return offeredMethods(reader.config).filter(({ name }) => isOn(reader, name));
}

export function methodNamed(reader: Reader, name: string): Method | undefined {
  return methodsOf(reader).find((method) => method.name === name);
}

function isOn(reader: Reader, name: string): boolean {
  return reader.realm.get(REALM_ID)?.settings.authentication_methods?.[name] !== false;
}

/** Apps open this page in a browser to offer all methods and second factors. */
const BROWSER: ExternalMethod = {
  name: "browser",
  display_name: "browser",
  display_icon: null,
  login_url: "/login/",
  signup_url: "/register/",
};

/** The part of `server_settings` about sign-in methods. Without a reader, for no organization. */
export function methodsForClients(reader: Reader | undefined) {
  const on = reader === undefined ? [PASSWORD] : methodsOf(reader);
  const flags = new Set(on.flatMap((method) => method.flags));
  const flagEntries = KNOWN_FLAGS.map((flag) => [flag, flags.has(flag)]);
  const buttons = on.flatMap(({ external }) => external ?? []);
  return {
    authentication_methods: Object.fromEntries(flagEntries) as Static<
      typeof serverSettingsShape
    >["authentication_methods"],
    external_authentication_methods: reader === undefined ? [] : [...buttons, BROWSER],
    email_auth_enabled: flags.has("email"),
    require_email_format_usernames: !flags.has("ldap"),
  };
}

/** The part of the snapshot. */
export function methodsInSnapshot(reader: Reader) {
  const on = new Set(methodsOf(reader).flatMap((method) => method.flags));
  return {
    realm_authentication_methods: methodSwitches(reader),
    realm_email_auth_enabled: on.has("email"),
    realm_password_auth_enabled: on.has("password"),
  };
}

export function methodSwitches(reader: Reader) {
  const rows = offeredMethods(reader.config).map(({ name }) => [
    name,
    { enabled: isOn(reader, name), available: true },
  ]);
  return Object.fromEntries(rows) as Record<string, { enabled: boolean; available: boolean }>;
}

/** Some clients fail where one of these is missing. */
const KNOWN_FLAGS = [
  ...["password", "dev", "email", "ldap", "remoteuser", "github", "azuread", "gitlab", "google"],
  ...["apple", "saml", "openid connect", "discord"],
];
