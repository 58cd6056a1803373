// All configuration settings: flags of `skein serve`, each with an environment variable SKEIN_….
import type { BlockList } from "node:net";

export interface Config {
  /** The data directory. */
  data: string;
  host: string;
  port: number;
  /** If unset, Skein does not terminate TLS; a proxy may. */
  tls?: TlsConfig;
  /** Address for plain HTTP, which redirects to HTTPS and answers ACME challenges. */
  http?: { host: string; port: number };
  /** Address for Prometheus. If unset, metrics are not collected. */
  metrics?: { host: string; port: number };
  /** Public URL: scheme and host, without a trailing slash. */
  url: string;
  /** `url` was not configured and was derived from the listening address. */
  is_url_guessed?: boolean;
  /** URLs that other devices of the local network open, and whether the server listens there. */
  local_network?: { urls: readonly string[]; is_listening: boolean };
  /** Identifies the organization among those of the process; "" for the first or only one. */
  subdomain?: string;
  rate_limits: boolean;
  /** Whether organizations can make channels readable for anyone on the web, without an account. */
  web_public_streams: boolean;
  /** Days for which deleted messages are kept; 0 to delete them at once. */
  archive_days: number;
  /** Maximum size of an uploaded file, in MiB. */
  max_upload_mib: number;
  /** Maximum size of all uploaded files together, in MiB; 0 for no limit. */
  upload_quota_mib: number;
  /** Bucket for files. If unset, files are in the data directory. */
  bucket?: BucketConfig;
  /** Nightly backup. If unset, backups are made only on request. */
  backup?: BackupConfig;
  /** Whether to migrate older data although the dry run found damage. */
  despite_damage?: boolean;
  /** Whether images and videos of other hosts are proxied through this server. */
  external_content: boolean;
  /** Private address ranges to which outbound requests are allowed. */
  outbound_allow: readonly string[];
  /** If unset, no email is sent. */
  mail?: MailConfig;
  /** DKIM selectors of the mail server, which doctor checks. */
  mail_dkim?: readonly string[];
  /** Name servers that doctor uses. If unset, it uses those of the system. */
  dns_servers?: readonly string[];
  /** OpenID Connect providers, in the order of their buttons. */
  oidc_providers?: readonly OidcProvider[];
  /** LDAP directory for sign-in. */
  ldap?: LdapConfig;
  /** Proxies whose forwarding headers are trusted, in addition to any on this machine. */
  proxies?: BlockList;
  /** A proxy that authenticates users and passes their address in a header. */
  trusted_proxy?: TrustedProxy;
  /** Whether the log contains client IP addresses. Default: true. */
  log_addresses?: boolean;
  /** Whether the log has a line for each request. */
  log_requests?: boolean;
  /** Minimum log level. Default: `info`. */
  log_level?: Level;
  /** `text` for a terminal, `json` for everything else, `off` for tests. */
  log: "text" | "json" | "off";
}

/** Source of the TLS certificate. */
export type TlsConfig =
  | { kind: "files"; cert: string; key: string }
  | { kind: "self"; names: readonly string[] }
  | ({ kind: "acme" } & AcmeConfig);

/** An ACME certificate authority. */
export interface AcmeConfig {
  names: readonly string[];
  directory_url: string;
  email?: string;
  /** External account binding, for authorities that require it. */
  eab?: { kid: string; key: string };
  /** A program that adds DNS records for DNS challenges. If unset, HTTP challenges are used. */
  dns_hook?: string;
}

/** The levels from the least to the most severe. */
export const LEVELS = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof LEVELS)[number];

export function isLevel(text: string): text is Level {
  return LEVELS.includes(text as Level);
}

/** Settings that `skein reload` applies to a running server. */
export const LIVE_SETTINGS = [
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

/** The SMTP server and the sender of emails. */
export interface MailConfig {
  /** `smtps://` (TLS) or `smtp://` (STARTTLS if offered), with a user name but no password. */
  smtp_url: string;
  password?: string;
  from: { name: string; address: string };
}

/** An OpenID Connect provider. */
export interface OidcProvider {
  /** Name in URLs. */
  name: string;
  display_name: string;
  display_icon: string | null;
  issuer: string;
  client_id: string;
  /** If unset, Skein is a public client of the provider. */
  client_secret?: string;
  scopes: readonly string[];
  /** New members are not asked for their name. */
  auto_signup: boolean;
  /** Accept email addresses that the provider does not report as verified. */
  accept_unverified_email: boolean;
}

/** Search for users in an LDAP directory, and verification of their passwords. */
export interface LdapConfig {
  /** `ldaps://` (TLS) or `ldap://`. */
  url: string;
  starttls: boolean;
  /** CA certificate of the directory, if it is not a public one. */
  ca?: string;
  /** Account for searching users. If unset, users bind directly with `user_dn`. */
  bind?: { dn: string; password: string };
  /** `{username}` is replaced by the entered name. */
  user_dn?: string;
  search_base?: string;
  search_filter: string;
  email_attribute: string;
  full_name_attribute: string;
  /** New members are not asked for their name. */
  auto_signup: boolean;
}

export interface TrustedProxy {
  /** IP addresses of the proxy. */
  readonly ranges: BlockList;
  /** Header with the user's email address. */
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

/** Backup location: a directory, or a prefix in a bucket. */
export type BackupPlace = { directory: string } | { bucket: BucketConfig; prefix: string };

export interface BackupConfig {
  to: BackupPlace;
  /** age public keys. Backups that leave the machine require at least one. */
  recipients: readonly string[];
  /** age private key for the nightly restore test. Not required otherwise. */
  identity?: string;
  /** Minutes after midnight, in the machine's time zone. */
  at_minutes: number;
  /** Number of daily, weekly and monthly sets to keep. */
  keep: { readonly daily: number; readonly weekly: number; readonly monthly: number };
  /** Whether unencrypted backups include the key that decrypts secrets in the data. */
  with_secrets: boolean;
}

export const DEFAULT_DATA = "./skein-data";
export const DEFAULT_ARCHIVE_DAYS = 30;
export const DEFAULT_MAX_UPLOAD_MIB = 100;
export const DEFAULT_LISTEN = "127.0.0.1:9400";
export const DEFAULT_ACME_URL = "https://acme-v02.api.letsencrypt.org/directory";
