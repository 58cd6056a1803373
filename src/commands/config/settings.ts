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
import { voucherFlags } from "../identity-providers.ts";
import { mailFlags } from "../mail.ts";
import { tlsFlags } from "./tls.ts";

export const settings = {
  data: { value: "DIR", default: DEFAULT_DATA, about: "the data directory" },
  listen: {
    value: "HOST:PORT",
    about: `where to listen; ${DEFAULT_LISTEN}, or with --https all addresses at port 443`,
  },
  url: { value: "URL", about: "the address that people use, if it is another" },
  hosts: {
    value: "NAME=DIR,…",
    default: "",
    about: "further organizations, each at a host and in a directory of its own",
  },
  "root-host": { value: "NAME", about: "the host of the server itself, of no organization" },
  "rate-limits": {
    live: true,
    value: "on|off",
    default: "on",
    about: "whether a client that asks too often is refused",
  },
  "web-public-streams": {
    value: "on|off",
    default: "off",
    about: "whether the organization may show channels to everyone, without an account",
  },
  "archive-days": {
    live: true,
    value: "DAYS",
    default: String(DEFAULT_ARCHIVE_DAYS),
    about: "for how long deleted messages are kept; 0 is not at all",
  },
  "max-upload-mib": {
    value: "MIB",
    default: String(DEFAULT_MAX_UPLOAD_MIB),
    about: "the largest file that people may upload",
  },
  "upload-quota-mib": {
    live: true,
    value: "MIB",
    default: "0",
    about: "how much all uploaded files may take; 0 is as much as the disk has",
  },
  ...tlsFlags,
  ...bucketFlags,
  "external-content": {
    live: true,
    value: "on|off",
    default: "on",
    about: "whether pictures of other hosts come by way of the server, or to each browser itself",
  },
  "outbound-allow": {
    value: "RANGES",
    default: "",
    about: "private addresses that the server may call, such as 10.1.0.0/16,fd00::/8",
  },
  proxies: {
    live: true,
    value: "RANGES",
    default: "",
    about: "the addresses of proxies, besides this machine, that say where requests come from",
  },
  "log-addresses": {
    live: true,
    value: "on|off",
    default: "on",
    about: "whether the log says from which addresses sign-ins fail",
  },
  "log-format": {
    value: "auto|text|json",
    default: "auto",
    about: "text for people, JSON for programs; auto is text where the log goes to a terminal",
  },
  "log-requests": {
    live: true,
    value: "on|off",
    default: "off",
    about: "whether the log has a line for each request",
  },
  "log-level": {
    live: true,
    value: "LEVEL",
    default: "info",
    about: `what the log says at least: ${LEVELS.join(", ")}; at debug requests too`,
  },
  metrics: {
    value: "HOST:PORT",
    about: "where Prometheus may ask; a port alone is for this machine, and without it none",
  },
  ...nightlyFlags,
  ...mailFlags,
  "mail-dkim": {
    live: true,
    value: "SELECTOR,…",
    default: "",
    about: "by which selectors the mail server signs (DKIM), for the doctor to look at their keys",
  },
  "dns-servers": {
    live: true,
    value: "ADDRESS,…",
    default: "",
    about: "whom the doctor asks about mail in the DNS, such as 9.9.9.9; else as the system does",
  },
  ...voucherFlags,
} as const satisfies Flags;

export type Settings = Values<typeof settings>;

export const SETTINGS_NOTES = `What counts most is a flag, then its variable, then for a secret a
file of its name in $CREDENTIALS_DIRECTORY, then a file that SKEIN_…_FILE names, then the file
of settings. skein config init writes such a file, with all of them.`;
