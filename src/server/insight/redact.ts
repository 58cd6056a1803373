// Removes credentials from log lines: passwords, keys and tokens, wherever they appear.
import type { Config } from "../../contract/config.ts";

export type Secretive = Partial<
  Pick<Config, "mail" | "bucket" | "backup" | "ldap" | "oidc_providers" | "tls">
>;

const REMOVED = "…";
/** Shorter secrets would also match ordinary words. */
const SECRET_LENGTH_MIN = 4;
/** The value after one of these names in a URL, form or JSON. */
const NAMED_SECRET =
  /(api_key|passwo?r?d|secret|token|access_key|authorization)("?\s?[=:]\s?"?)([^\s&"',;)]+)/gi;
const CREDENTIALS = /\b(basic|bearer)(\s)([\w+/=.~-]{6,})/gi;
const IN_ADDRESS = /(:\/\/[^\s:/@]{1,200}:)([^\s/@]{1,200})(@)/g;

export class Redaction {
  constructor(private readonly config: Secretive) {}

  clean(text: string): string {
    let header = text;
    for (const secret of secretsIn(this.config)) {
      if (header.includes(secret)) header = header.replaceAll(secret, REMOVED);
    }
    return header
      .replace(CREDENTIALS, `$1$2${REMOVED}`)
      .replace(NAMED_SECRET, (all, name: string, character: string, value: string) =>
        /^(basic|bearer)$/i.test(value) || value === REMOVED
          ? all
          : `${name}${character}${REMOVED}`,
      )
      .replace(IN_ADDRESS, `$1${REMOVED}$3`);
  }
}

/** Secrets of the configuration, which can change while the server runs. */
function secretsIn({ mail, bucket, backup, ldap, oidc_providers, tls }: Secretive): string[] {
  const to = backup?.to;
  const secrets = [
    mail?.password,
    bucket?.secret_access_key,
    to && "bucket" in to ? to.bucket.secret_access_key : undefined,
    backup?.identity,
    ldap?.bind?.password,
    tls?.kind === "acme" ? tls.eab?.key : undefined,
    ...(oidc_providers ?? []).map(({ client_secret }) => client_secret),
  ];
  return secrets.filter(
    (secret) => secret !== undefined && secret.length >= SECRET_LENGTH_MIN,
  ) as string[];
}
