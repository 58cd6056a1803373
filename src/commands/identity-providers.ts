// OpenID Connect providers: their flags, and the files that configure them.
import { dirname, resolve } from "node:path";
import { type Static, type TSchema, Type } from "typebox";
import type { Config, LdapConfig, OidcProvider, TrustedProxy } from "../contract/config.ts";
import { PROVIDER_NAME } from "../features/realm/provider-rules.ts";
import { RangeInvalid, rangesOf } from "../outbound/addresses.ts";
import { USERNAME } from "../outbound/ldap-names.ts";
import { faultIn } from "../server/parameters/json.ts";
import { readText } from "./config/files.ts";
import { type Flags, UsageError, type Values } from "./flags.ts";

export const identityFlags = {
  "oidc-providers": {
    value: "FILE",
    live: true,
    description: "JSON file with the OpenID Connect providers for sign-in",
  },
  ldap: {
    value: "FILE",
    live: true,
    description: "JSON file with the LDAP directory for sign-in",
  },
  "trusted-proxy": {
    value: "RANGES",
    live: true,
    description:
      "addresses of a proxy that authenticates users and passes their email address in a header",
  },
  "remote-user-header": {
    value: "NAME",
    live: true,
    description: "the header with the user's email address, such as Remote-Email",
  },
} as const satisfies Flags;

type IdentitySettings = Pick<Config, "oidc_providers" | "ldap" | "trusted_proxy">;

export function identitySettingsIn(flags: Values<typeof identityFlags>): IdentitySettings {
  const { "oidc-providers": oidc, ldap } = flags;
  const trusted_proxy = proxyIn(flags);
  return {
    ...(oidc !== undefined && { oidc_providers: providersIn(oidc) }),
    ...(ldap !== undefined && { ldap: ldapIn(ldap) }),
    ...(trusted_proxy && { trusted_proxy }),
  };
}

const text = Type.String({ minLength: 1 });
const noOtherFields = { additionalProperties: false } as const;

const PROVIDERS = Type.Array(
  Type.Object(
    {
      name: text,
      display_name: text,
      display_icon: Type.Optional(text),
      issuer: text,
      client_id: text,
      client_secret: Type.Optional(text),
      client_secret_file: Type.Optional(text),
      scopes: Type.Optional(Type.Array(text)),
      auto_signup: Type.Optional(Type.Boolean()),
      accept_unverified_email: Type.Optional(Type.Boolean()),
    },
    noOtherFields,
  ),
);

const DIRECTORY = Type.Object(
  {
    url: text,
    starttls: Type.Optional(Type.Boolean()),
    allow_cleartext: Type.Optional(Type.Boolean()),
    ca_file: Type.Optional(text),
    bind_dn: Type.Optional(text),
    bind_password: Type.Optional(text),
    bind_password_file: Type.Optional(text),
    user_dn: Type.Optional(text),
    search_base: Type.Optional(text),
    search_filter: Type.Optional(text),
    email_attribute: Type.Optional(text),
    full_name_attribute: Type.Optional(text),
    auto_signup: Type.Optional(Type.Boolean()),
  },
  noOtherFields,
);

const DEFAULT_SCOPES = ["openid", "email", "profile"];

function providersIn(path: string): OidcProvider[] {
  const file = new ProviderFile("--oidc-providers", path);
  const rows = file.read(PROVIDERS, "providers");
  const names = new Set<string>();
  return rows.map((row, index) => {
    const path = `providers[${index}]`;
    const { name, display_name, display_icon = null, client_id, scopes = DEFAULT_SCOPES } = row;
    if (!PROVIDER_NAME.test(name)) {
      file.fail(`${path}["name"] is part of URLs: use lowercase letters, digits, - and _`);
    }
    if (names.has(name)) file.fail(`${path}["name"]: ${name} is used twice`);
    names.add(name);
    checkIssuer(file, row.issuer, path);
    if (!scopes.includes("openid")) file.fail(`${path}["scopes"] lacks "openid"`);
    const client_secret = file.secret(row, "client_secret", path);
    const { auto_signup = false, accept_unverified_email = false, issuer } = row;
    const params = { name, display_name, display_icon, issuer, client_id, scopes };
    const payload = client_secret === undefined ? {} : { client_secret };
    return { ...params, ...payload, auto_signup, accept_unverified_email };
  });
}

/** Requires HTTPS, since an attacker could pose as the provider, except on the same machine. */
function checkIssuer(file: ProviderFile, issuer: string, path: string): void {
  const url = URL.parse(issuer);
  const isPlain = url && url.search === "" && url.hash === "" && url.username === "";
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url));
  if (!isPlain || !isSafe) {
    file.fail(`${path}["issuer"] must be a URL such as https://login.example.com`);
  }
}

const isLoopback = ({ hostname }: URL) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

function ldapIn(path: string): LdapConfig {
  const file = new ProviderFile("--ldap", path);
  const row = file.read(DIRECTORY, "directory");
  const { url, starttls = false, bind_dn, user_dn, search_base, ca_file } = row;
  checkDirectoryUrl(file, row);
  const bind_password = file.secret(row, "bind_password", "directory");
  if (bind_dn !== undefined && bind_password === undefined) {
    file.fail("bind_dn requires bind_password or bind_password_file");
  }
  if ((bind_dn === undefined) === (user_dn === undefined)) {
    file.fail(
      "set either bind_dn (an account that searches users) or user_dn (users bind directly)",
    );
  }
  if (bind_dn !== undefined && search_base === undefined) file.fail("search_base is missing");
  if (user_dn !== undefined && (user_dn === USERNAME || !user_dn.includes(USERNAME))) {
    file.fail(`user_dn must contain ${USERNAME}, which is replaced by the user name`);
  }
  if (user_dn?.includes("=") === false && search_base === undefined) {
    file.fail("search_base is missing: user_dn alone does not locate the users' entries");
  }
  const { search_filter = `(uid=${USERNAME})` } = row;
  if (!/^\(.*\)$/.test(search_filter) || !search_filter.includes(USERNAME)) {
    file.fail(`search_filter must be a filter in parentheses, such as (uid=${USERNAME})`);
  }
  return {
    url,
    starttls,
    ...(ca_file !== undefined && { ca: file.relativeToFile(ca_file) }),
    ...(bind_dn !== undefined && { bind: { dn: bind_dn, password: bind_password! } }),
    ...(user_dn !== undefined && { user_dn }),
    ...(search_base !== undefined && { search_base }),
    search_filter,
    email_attribute: row.email_attribute ?? "mail",
    full_name_attribute: row.full_name_attribute ?? "cn",
    auto_signup: row.auto_signup ?? false,
  };
}

function checkDirectoryUrl(file: ProviderFile, row: Static<typeof DIRECTORY>): void {
  const url = URL.parse(row.url);
  const isLdap = url && /^ldaps?:$/.test(url.protocol) && url.hostname !== "";
  if (!isLdap || !/^\/?$/.test(url.pathname) || url.search !== "" || url.username !== "") {
    file.fail("url must be ldaps://HOST:PORT or ldap://HOST:PORT");
  }
  if (url!.protocol === "ldaps:" && row.starttls) file.fail("starttls requires ldap://");
  if (url!.protocol === "ldaps:" || row.starttls || row.allow_cleartext || isLoopback(url!)) return;
  file.fail("ldap:// sends passwords unencrypted: use ldaps://, starttls or allow_cleartext");
}

function proxyIn(flags: Values<typeof identityFlags>): TrustedProxy | undefined {
  const { "trusted-proxy": value, "remote-user-header": header } = flags;
  if (value === undefined && header === undefined) return undefined;
  if (value === undefined) throw new UsageError("--remote-user-header requires --trusted-proxy");
  if (header === undefined) throw new UsageError("--trusted-proxy requires --remote-user-header");
  if (!/^[A-Za-z0-9-]+$/.test(header)) {
    throw new UsageError("--remote-user-header must be the name of a header, such as Remote-Email");
  }
  const texts = value.split(",").flatMap((range) => range.trim() || []);
  if (texts.length === 0) throw new UsageError("--trusted-proxy contains no address");
  try {
    return { ranges: rangesOf(texts), header };
  } catch (error) {
    if (error instanceof RangeInvalid) throw new UsageError(`--trusted-proxy: ${error.message}`);
    throw error;
  }
}

/** A configuration file, and files that it refers to. */
class ProviderFile {
  constructor(
    private readonly flag: string,
    private readonly path: string,
  ) {}

  fail(text: string): never {
    throw new UsageError(`${this.flag} ${this.path}: ${text}`);
  }

  read<S extends TSchema>(schema: S, label: string): Static<S> {
    let value: unknown;
    const json = this.textOf(this.path);
    try {
      value = JSON.parse(json);
    } catch {
      this.fail("it is not JSON");
    }
    const fault = faultIn(schema, value, label);
    if (fault !== undefined) this.fail(fault);
    return value as Static<S>;
  }

  /** The value, or the first line of the file that is given instead. */
  secret(row: Readonly<Record<string, unknown>>, name: string, path: string): string | undefined {
    const value = row[name] as string | undefined;
    const file = row[`${name}_file`] as string | undefined;
    if (file === undefined) return value;
    if (value !== undefined) this.fail(`${path} has both ${name} and ${name}_file`);
    const line = this.relativeToFile(file).split(/\r?\n/, 1)[0]!;
    return line === "" ? this.fail(`the first line of ${file} is empty`) : line;
  }

  relativeToFile(file: string): string {
    return this.textOf(resolve(dirname(this.path), file));
  }

  private textOf(path: string): string {
    try {
      return readText(path);
    } catch (error) {
      return this.fail(error instanceof Error ? error.message : String(error));
    }
  }
}
