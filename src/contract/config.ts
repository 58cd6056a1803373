// What the operator may set: flags of `skein serve`, each with an environment variable SKEIN_….
import type { BlockList } from "node:net";

export interface Config {
  /** The data directory. */
  data: string;
  host: string;
  port: number;
  /** Without it TLS is somebody else's business, such as a proxy's. */
  tls?: TlsConfig;
  /** Where who comes without TLS is sent on, and authorities look. */
  http?: { host: string; port: number };
  /** Where Prometheus asks; without it nothing is counted. */
  metrics?: { host: string; port: number };
  /** The address people use, scheme and host without a slash at the end. */
  url: string;
  /** Nobody has said it: it is where the server listens. */
  is_url_guessed?: boolean;
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
  /** What is backed up every day, and where to; without it, only who asks gets a backup. */
  backup?: BackupConfig;
  /** Whether older data is migrated although its dry run found damage. */
  despite_damage?: boolean;
  /** Whether pictures and films of other hosts are shown by way of this server. */
  external_content: boolean;
  /** Ranges of addresses that may be called although they are not of the public internet. */
  outbound_allow: readonly string[];
  /** Without it no mail is sent. */
  mail?: MailConfig;
  /** By which selectors the mail server signs what comes from here (DKIM). */
  mail_dkim?: readonly string[];
  /** Whom the doctor asks about names; without them, those of the system. */
  dns_servers?: readonly string[];
  /** Servers that vouch for people, in the order of their buttons. */
  oidc_providers?: readonly OidcProvider[];
  /** The directory that knows people's passwords. */
  ldap?: LdapConfig;
  /** Those that are believed about where requests come from, besides any on this machine. */
  proxies?: BlockList;
  /** A proxy that has found out who somebody is, and says so in a header. */
  trusted_proxy?: TrustedProxy;
  /** Whether the log says from which addresses people come; unless it is false, it does. */
  log_addresses?: boolean;
  /** Whether it has a line for each request. */
  log_requests?: boolean;
  /** What the log says at least; without it `info`. */
  log_level?: Level;
  /** `text` for a terminal, `json` for everything else, `off` for tests. */
  log: "text" | "json" | "off";
}

/** Where the certificate comes from. */
export type TlsConfig =
  | { kind: "files"; cert: string; key: string }
  | { kind: "self"; names: readonly string[] }
  | ({ kind: "acme" } & AcmeConfig);

/** An authority that gives certificates to whoever shows that a name is theirs. */
export interface AcmeConfig {
  names: readonly string[];
  directory_url: string;
  email?: string;
  /** Of an account there that is known otherwise. */
  eab?: { kid: string; key: string };
  /** A program that puts records into the DNS; without it, names are shown to be ours over HTTP. */
  dns_hook?: string;
}

/** From what is said least to what is always said. */
export const LEVELS = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof LEVELS)[number];

export function isLevel(text: string): text is Level {
  return LEVELS.includes(text as Level);
}

/** What a server that runs takes anew when it is told to reload. */
export const LIVE = [
  "rate_limits",
  "archive_days",
  "upload_quota_mib",
  "external_content",
  "mail",
  "mail_dkim",
  "dns_servers",
  "oidc_providers",
  "ldap",
  "proxies",
  "trusted_proxy",
  "log_addresses",
  "log_requests",
  "log_level",
] as const satisfies readonly (keyof Config)[];

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

/** Where backups are: in a directory, or in a bucket beneath a prefix. */
export type BackupPlace = { directory: string } | { bucket: BucketConfig; prefix: string };

export interface BackupConfig {
  to: BackupPlace;
  /** Public keys of age. Of what leaves the machine there is one at least. */
  recipients: readonly string[];
  /** A key of age that opens it, for the nightly drill; no server needs one. */
  identity?: string;
  /** Minutes after midnight, by the machine's own time. */
  at_minutes: number;
  /** How many days, weeks and months keep a set. */
  keep: { readonly daily: number; readonly weekly: number; readonly monthly: number };
  /** Whether the key to the data's own secrets is kept where nothing is encrypted. */
  with_secrets: boolean;
}

export const DEFAULT_DATA = "./skein-data";
export const DEFAULT_ARCHIVE_DAYS = 30;
export const DEFAULT_MAX_UPLOAD_MIB = 100;
export const DEFAULT_LISTEN = "127.0.0.1:9400";
export const DEFAULT_ACME_URL = "https://acme-v02.api.letsencrypt.org/directory";
