// Describes a server's configuration without secrets, and what a new server needs besides a backup.
import type { Config } from "../../contract/config.ts";

export function publicConfig(config: Config): Record<string, unknown> {
  const { bucket, mail, ldap, oidc_providers = [] } = config;
  const { url, subdomain, rate_limits, web_public_streams, archive_days } = config;
  const { max_upload_mib, upload_quota_mib, external_content, outbound_allow } = config;
  return {
    url,
    listen: `${config.host}:${config.port}`,
    ...(subdomain !== undefined && { subdomain }),
    ...{ rate_limits, web_public_streams, archive_days, max_upload_mib, upload_quota_mib },
    ...{ external_content, outbound_allow },
    ...(bucket && { bucket: pick(bucket, ["endpoint", "bucket", "region"]) }),
    ...(mail && { mail: { smtp_url: mail.smtp_url, from: mail.from } }),
    oidc_providers: oidc_providers.map((provider) => {
      return pick(provider, ["name", "display_name", "issuer", "client_id", "scopes"]);
    }),
    ...(ldap && {
      ldap: {
        ...pick(ldap, ["url", "starttls", "user_dn", "search_base", "search_filter"]),
        ...(ldap.bind && { bind_dn: ldap.bind.dn }),
      },
    }),
  };
}

/** Describes what a restored server needs besides the backup, for the operator. */
export function needsOf(config: Config): string[] {
  const { bucket, mail, ldap, oidc_providers = [] } = config;
  const secrets = oidc_providers.filter(({ client_secret }) => client_secret !== undefined);
  return [
    ...(bucket ? [`access keys of the bucket ${bucket.bucket} at ${bucket.endpoint}`] : []),
    ...(mail?.password === undefined ? [] : [`password for ${new URL(mail.smtp_url).host}`]),
    ...secrets.map(({ client_id, issuer }) => `client secret of ${client_id} at ${issuer}`),
    ...(ldap?.bind ? [`password of ${ldap.bind.dn} at ${ldap.url}`] : []),
  ];
}

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}
