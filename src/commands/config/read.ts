// Creates the server's configuration from the operator's settings.
import { isIP } from "node:net";
import { resolve } from "node:path";
import { type Config, isLevel, LEVELS } from "../../contract/config.ts";
import { RangeInvalid, rangesOf } from "../../outbound/addresses.ts";
import type { FurtherOrganizations } from "../../running.ts";
import { nightlyIn } from "../backup/nightly.ts";
import { bucketIn } from "../bucket.ts";
import { UsageError } from "../flags.ts";
import { additionalOrganizations } from "../hosts.ts";
import { identitySettingsIn } from "../identity-providers.ts";
import { listenAddress, rejectEqualAddresses } from "../listen.ts";
import { mailConfig } from "../mail.ts";
import type { Settings } from "./settings.ts";
import { servedBy } from "./tls.ts";

export interface LoadedConfig {
  readonly config: Config;
  readonly additional: FurtherOrganizations;
  /** The operator has set the public URL. */
  readonly hasHostNames: boolean;
}

/**
 * Returns the complete configuration. Reads the files it refers to. @throws for invalid settings
 */
export async function configOf(flags: Settings): Promise<LoadedConfig> {
  const served = servedBy(flags);
  const bucket = bucketIn(flags);
  const backup = await nightlyIn(flags);
  const config: Config = {
    data: resolve(flags.data),
    ...served,
    rate_limits: booleanOf(flags["rate-limits"], "--rate-limits"),
    web_public_streams: booleanOf(flags["web-public-streams"], "--web-public-streams"),
    archive_days: daysIn(flags["archive-days"]),
    max_upload_mib: mibIn(flags["max-upload-mib"], "--max-upload-mib", 1),
    upload_quota_mib: mibIn(flags["upload-quota-mib"], "--upload-quota-mib", 0),
    ...(bucket && { bucket }),
    ...(backup && { backup }),
    outbound_allow: rangesIn(flags["outbound-allow"], "--outbound-allow"),
    proxies: rangesOf(rangesIn(flags.proxies, "--proxies")),
    external_content: booleanOf(flags["external-content"], "--external-content"),
    mail: mailConfig(flags),
    ...namesIn(flags),
    ...identitySettingsIn(flags),
    log_addresses: booleanOf(flags["log-addresses"], "--log-addresses"),
    log_level: levelIn(flags["log-level"]),
    log_requests: booleanOf(flags["log-requests"], "--log-requests"),
    log: formatIn(flags["log-format"]),
    ...metricsIn(flags.metrics),
  };
  const { http, metrics } = config;
  rejectEqualAddresses({ "--listen": served, "--http": http, "--metrics": metrics });
  const isNamed = flags.url !== undefined || flags.https !== "";
  const first = isNamed ? config : { ...config, url: "", is_url_guessed: true };
  const additional = additionalOrganizations(first, flags.hosts, flags["root-host"]);
  return { config, additional, hasHostNames: isNamed };
}

const SELECTOR = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i;

function namesIn(flags: Settings): Pick<Config, "mail_dkim" | "dns_servers"> {
  const mail_dkim = listIn(flags["mail-dkim"]);
  const unexpected = mail_dkim.find(
    (item) => item.length > SELECTOR_LENGTH_MAX || !SELECTOR.test(item),
  );
  if (unexpected !== undefined) {
    throw new UsageError(
      `--mail-dkim must be a list of selectors, such as mail, not ${unexpected}`,
    );
  }
  const dns_servers = listIn(flags["dns-servers"]);
  const wrong = dns_servers.find((server) => !isServer(server));
  if (wrong !== undefined) {
    throw new UsageError(`--dns-servers must be IP addresses such as 9.9.9.9, not ${wrong}`);
  }
  return { mail_dkim, dns_servers };
}

const SELECTOR_LENGTH_MAX = 63;
const PORT_MAX = 65_535;

/** Accepts `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` and `[2001:db8::1]:53`. */
function isServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, six, four, port = ""] = /^(?:\[([^\]]*)\]|([\d.]*)):(\d{1,5})$/.exec(text) ?? [];
  return isIP(six ?? four ?? "") === (six === undefined ? 4 : 6) && Number(port) <= PORT_MAX;
}

const listIn = (text: string) => text.split(",").flatMap((item) => item.trim() || []);

function formatIn(text: string): "text" | "json" {
  if (text === "text" || text === "json") return text;
  if (text === "auto") return process.stderr.isTTY ? "text" : "json";
  throw new UsageError(`--log-format must be auto, text or json, not ${text}`);
}

function metricsIn(text: string | undefined): Pick<Config, "metrics"> {
  if (text === undefined || text === "off") return {};
  const hostAndPort = /^\d+$/.test(text) ? `127.0.0.1:${text}` : text;
  return { metrics: listenAddress(hostAndPort, "--metrics") };
}

function levelIn(text: string): NonNullable<Config["log_level"]> {
  if (isLevel(text)) return text;
  throw new UsageError(`--log-level must be one of ${LEVELS.join(", ")}, not ${text}`);
}

function booleanOf(text: string, flag: string): boolean {
  if (text !== "on" && text !== "off") throw new UsageError(`${flag} must be on or off`);
  return text === "on";
}

function daysIn(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new UsageError("--archive-days must be a number of days, such as 30");
}

function rangesIn(text: string, flag: string): string[] {
  const ranges = listIn(text);
  try {
    rangesOf(ranges);
  } catch (error) {
    if (error instanceof RangeInvalid) throw new UsageError(`${flag}: ${error.message}`);
    throw error;
  }
  return ranges;
}

function mibIn(text: string, flag: string, min: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= min) return Number(text);
  throw new UsageError(`${flag} must be a number of MiB, such as 100`);
}
