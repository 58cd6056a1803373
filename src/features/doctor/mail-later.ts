// Mail: whether the mail server takes it, and whether the DNS has others believe it.
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
    const remedy = "name a mail server: --smtp-url and --mail-from";
    return bad("warn", "No mail is sent: nobody gets a link to a new password.", remedy);
  }
  const { host } = new URL(mail.smtp_url);
  try {
    await tryMail(mail);
    return ok(`${host} takes mail from here; skein mail test sends a letter.`);
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error;
    const remedy = "see --smtp-url, the password, and whether the host lets mail out";
    return bad("fail", `No mail goes out: ${error.message}.`, remedy);
  }
}

const RESERVED = /(^|\.)(example|test|invalid|localhost|local|internal)$|^example\.(com|org|net)$/;

/** The domain of the sender address. Undefined for names that only own DNS servers know. */
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
    return bad("warn", `The DNS did not say who may send for ${domain}.`, "try again later");
  }
  const missing = [...(spf ? [] : ["SPF"]), ...(dmarc ? [] : ["DMARC"])];
  if (missing.length === 0) return ok(`${domain} says who may send for it (SPF and DMARC).`);
  const words = `${domain} has no ${missing.join(" and no ")} record, so that mail may be refused.`;
  return bad("warn", words, `add it to the DNS: the mail server's makers say how`);
}

/** Common subdomains of mail servers and autoconfiguration. */
const COMMON = [
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
  const isNamed = mail_dkim.length > 0;
  const keys = await dkimKeys(domain, isNamed ? mail_dkim : COMMON, dns_servers);
  const good = keys.filter(({ fault }) => fault === "").map(({ selector }) => selector);
  if (good.length > 0 && (!isNamed || good.length === keys.length)) {
    return ok(`${domain} publishes the key by which mail is signed (DKIM: ${good.join(", ")}).`);
  }
  // The DNS tells of no selector that one does not know.
  if (!isNamed) return undefined;
  if (keys.some(({ fault }) => fault === undefined)) {
    return bad("warn", `The DNS did not say what key ${domain} signs with.`, "try again later");
  }
  const wrong = keys.filter(({ fault }) => fault !== "");
  const words = wrong.map(({ selector, fault }) => `${selector}._domainkey.${domain} ${fault}`);
  const remedy = "publish the TXT record that the mail server has for it, or change --mail-dkim";
  return bad("fail", `Mail is not believed to be signed: ${words.join("; ")}.`, remedy);
}
