// What the operator may set: flags of `skein serve`, each with an environment variable SKEIN_….
import type { BlockList } from "node:net";

export interface Config {
  /** The data directory. */
  data: string;
  host: string;
  port: number;
  /** The address people use, scheme and host without a slash at the end. */
  url: string;
  /** What names the organization among those of the process; "" of the first, or the only one. */
  subdomain?: string;
  rate_limits: boolean;
  /** Whether an organization may show channels to everyone on the web, without an account. */
  web_public_streams: boolean;
  /** For how many days deleted messages are kept; 0: not at all. */
  archive_days: number;
  /** The largest file that people may upload, in MiB. */
  max_upload_mib: number;
  /** For all uploaded files together; 0: as much as the disk takes. */
  upload_quota_mib: number;
  /** Where the files are; without it they are in the data directory. */
  bucket?: BucketConfig;
  /** Ranges of addresses that may be called although they are not of the public internet. */
  outbound_allow: readonly string[];
  /** Without it no mail is sent. */
  mail?: MailConfig;
  /** Servers that vouch for people, in the order of their buttons. */
  oidc_providers?: readonly OidcProvider[];
  /** The directory that knows people's passwords. */
  ldap?: LdapConfig;
  /** A proxy that has found out who somebody is, and says so in a header. */
  trusted_proxy?: TrustedProxy;
  /** `text` for a terminal, `json` for everything else, `off` for tests. */
  log: "text" | "json" | "off";
}

/** The operator's mail server, and what the mail comes from. */
export interface MailConfig {
  /** `smtps://` (TLS), or `smtp://` (STARTTLS where it is offered), with a user but no password. */
  smtp_url: string;
  password?: string;
  from: { name: string; address: string };
}

/** A server that speaks OpenID Connect. */
export interface OidcProvider {
  /** As it stands in addresses. */
  name: string;
  display_name: string;
  display_icon: string | null;
  issuer: string;
  client_id: string;
  /** Without it, we are a public client there. */
  client_secret?: string;
  scopes: readonly string[];
  /** Newcomers are not asked for their name. */
  auto_signup: boolean;
  /** Also an address is believed of which the provider does not say that it was verified. */
  accept_unverified_email: boolean;
}

/** How people are found in a directory, and how their passwords are tried there. */
export interface LdapConfig {
  /** `ldaps://` (TLS), or `ldap://`. */
  url: string;
  starttls: boolean;
  /** The certificate that signs the directory's, if it is not one that everybody knows. */
  ca?: string;
  /** Who looks for people; without it, they sign in by `user_dn` at once. */
  bind?: { dn: string; password: string };
  /** `{username}` stands for what was typed. */
  user_dn?: string;
  search_base?: string;
  search_filter: string;
  email_attribute: string;
  full_name_attribute: string;
  /** Newcomers are not asked for their name. */
  auto_signup: boolean;
}

export interface TrustedProxy {
  /** The addresses that it calls from. */
  readonly ranges: BlockList;
  /** In which it gives the person's e-mail address. */
  readonly header: string;
}

/** A bucket of an S3-compatible store. */
export interface BucketConfig {
  endpoint: string;
  bucket: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
}

export const DEFAULT_DATA = "./skein-data";
export const DEFAULT_ARCHIVE_DAYS = 30;
export const DEFAULT_MAX_UPLOAD_MIB = 100;
export const DEFAULT_LISTEN = "127.0.0.1:9400";
