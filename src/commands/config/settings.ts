// All settings of the server: flags of `skein serve`, environment variables and configuration keys.
import {
  DEFAULT_ARCHIVE_DAYS,
  DEFAULT_DATA,
  DEFAULT_LISTEN,
  DEFAULT_MAX_UPLOAD_MIB,
  LEVELS,
} from "../../contract/config.ts";
import { nightlyFlags } from "../backup/nightly.ts";
import { bucketFlags } from "../bucket.ts";
import { type Flags, type Values } from "../flags.ts";
import { identityFlags } from "../identity-providers.ts";
import { mailFlags } from "../mail.ts";
import { tlsFlags } from "./tls.ts";

export const settings = {
  data: { value: "DIR", default: DEFAULT_DATA, description: "the data directory" },
  listen: {
    value: "HOST:PORT",
    description: `address to listen on (default: ${DEFAULT_LISTEN}; with --https, port 443)`,
  },
  url: { value: "URL", description: "public URL, if it differs from the listening address" },
  hosts: {
    value: "NAME=DIR,…",
    default: "",
    description: "hosts and data directories of further organizations",
  },
  "root-host": { value: "NAME", description: "host of the server itself, without an organization" },
  "rate-limits": {
    live: true,
    value: "on|off",
    default: "on",
    description: "reject clients that send too many requests",
  },
  "web-public-streams": {
    value: "on|off",
    default: "off",
    description: "allow channels that anyone on the web can read without an account",
  },
  "archive-days": {
    live: true,
    value: "DAYS",
    default: String(DEFAULT_ARCHIVE_DAYS),
    description: "days to keep deleted messages; 0 to delete them at once",
  },
  "max-upload-mib": {
    value: "MIB",
    default: String(DEFAULT_MAX_UPLOAD_MIB),
    description: "maximum size of an uploaded file",
  },
  "upload-quota-mib": {
    live: true,
    value: "MIB",
    default: "0",
    description: "maximum size of all uploaded files together; 0 for no limit",
  },
  ...tlsFlags,
  ...bucketFlags,
  "external-content": {
    live: true,
    value: "on|off",
    default: "on",
    description: "load images of other hosts through the server, to hide clients' IP addresses",
  },
  "outbound-allow": {
    value: "RANGES",
    default: "",
    description: "private addresses that the server may connect to, such as 10.1.0.0/16,fd00::/8",
  },
  proxies: {
    live: true,
    value: "RANGES",
    default: "",
    description: "addresses of trusted proxies other than this machine, for client IP addresses",
  },
  "log-addresses": {
    live: true,
    value: "on|off",
    default: "on",
    description: "log the IP addresses of failed sign-ins",
  },
  "log-format": {
    value: "auto|text|json",
    default: "auto",
    description: "log format; auto is text on a terminal and JSON elsewhere",
  },
  "log-requests": {
    live: true,
    value: "on|off",
    default: "off",
    description: "log a line for each request",
  },
  "log-level": {
    live: true,
    value: "LEVEL",
    default: "info",
    description: `minimum log level: ${LEVELS.join(", ")}; debug includes requests`,
  },
  metrics: {
    value: "HOST:PORT",
    description:
      "address for Prometheus; a port alone listens on this machine; if unset, no metrics",
  },
  ...nightlyFlags,
  ...mailFlags,
  "mail-dkim": {
    live: true,
    value: "SELECTOR,…",
    default: "",
    description: "DKIM selectors of the mail server, whose DNS records doctor checks",
  },
  "dns-servers": {
    live: true,
    value: "ADDRESS,…",
    default: "",
    description:
      "DNS servers that doctor queries about mail, such as 9.9.9.9 (default: those of the system)",
  },
  ...identityFlags,
} as const satisfies Flags;

export type Settings = Values<typeof settings>;

export const SETTINGS_NOTES = `Precedence: flags, environment variables, the settings file.
Secrets are also read from $CREDENTIALS_DIRECTORY and from files named by SKEIN_…_FILE, which
take precedence over the settings file.
To create a settings file with all settings, run: skein config init`;
