// Checks email: whether the mail server accepts it, and the DNS records of the sender.
import type { Config } from "../../contract/config.ts";
import { MailFailed, tryMail } from "../../outbound/mail.ts";
import { dkimKeys, mailRecords } from "../../outbound/mail-records.ts";
import { bad, type Check, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";

export const mailChecks: readonly Check<Facts>[] = [
  { id: "mail.server", run: server },
  { id: "mail.records", run: records },
  { id: "mail.dkim", run: dkim },
];

async function server({ realm: { config } }: Facts): Promise<Finding> {
  const { mail } = config;
  if (!mail) {
    const remedy = "configure a mail server: --smtp-url and --mail-from";
    return bad("warn", "Email is not configured: users cannot reset their passwords.", remedy);
  }
  const { host } = new URL(mail.smtp_url);
  try {
    await tryMail(mail);
    return ok(`${host} accepts email from this server; to send a test email, run skein mail test.`);
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error;
    const remedy = "check --smtp-url, the password, and whether the host allows outgoing mail";
    return bad("fail", `Email cannot be sent: ${error.message}.`, remedy);
  }
}

const RESERVED = /(^|\.)(example|test|invalid|localhost|local|internal)$|^example\.(com|org|net)$/;

/** The domain of the sender address. undefined for names that only local DNS servers resolve. */
function domainOf({ mail, dns_servers }: Config): string | undefined {
  const domain = mail?.from.address.split("@").at(-1) ?? "";
  if (!domain.includes(".") || (RESERVED.test(domain) && !dns_servers?.length)) return undefined;
  return domain;
}

async function records({ realm: { config } }: Facts): Promise<Finding> {
  const domain = domainOf(config);
  if (domain === undefined) return undefined;
  const { spf, dmarc } = await mailRecords(domain, config.dns_servers);
  if (spf === undefined || dmarc === undefined) {
    return bad(
      "warn",
      `The SPF and DMARC records of ${domain} could not be read.`,
      "try again later",
    );
  }
  const absent = [...(spf ? [] : ["SPF"]), ...(dmarc ? [] : ["DMARC"])];
  if (absent.length === 0) return ok(`${domain} has SPF and DMARC records.`);
  const text = `${domain} has no ${absent.join(" and no ")} record, so emails may be rejected.`;
  return bad("warn", text, `add it to the DNS, as the documentation of the mail server describes`);
}

/** Common subdomains of mail servers and autoconfiguration. */
const COMMON_PROVIDERS = [
  "default",
  "dkim",
  "fm1",
  "google",
  "k1",
  "key1",
  "mail",
  "mta",
  "s1",
  "s2",
  "selector1",
  "selector2",
  "smtp",
];

async function dkim({ realm: { config } }: Facts): Promise<Finding> {
  const domain = domainOf(config);
  if (domain === undefined) return undefined;
  const { mail_dkim = [], dns_servers } = config;
  const hasSelectors = mail_dkim.length > 0;
  const keys = await dkimKeys(domain, hasSelectors ? mail_dkim : COMMON_PROVIDERS, dns_servers);
  const good = keys.filter(({ fault }) => fault === "").map(({ selector }) => selector);
  if (good.length > 0 && (!hasSelectors || good.length === keys.length)) {
    return ok(`${domain} publishes the DKIM keys of its emails (${good.join(", ")}).`);
  }
  // DNS cannot list selectors, so an unknown one cannot be checked.
  if (!hasSelectors) return undefined;
  if (keys.some(({ fault }) => fault === undefined)) {
    return bad("warn", `The DKIM records of ${domain} could not be read.`, "try again later");
  }
  const wrong = keys.filter(({ fault }) => fault !== "");
  const words = wrong.map(({ selector, fault }) => `${selector}._domainkey.${domain} ${fault}`);
  const remedy = "publish the TXT record that the mail server provides, or change --mail-dkim";
  return bad(
    "fail",
    `The DKIM signature of emails cannot be verified: ${words.join("; ")}.`,
    remedy,
  );
}
