// Whether an organization can have this subdomain.
import Type from "typebox";
import { type HostContext, openEndpoint, text } from "../../endpoint.ts";
import type { Hosts } from "../../server/hosts.ts";

const LENGTH_MIN = 3;
const LENGTH_MAX = 40;
/** Subdomains that commonly have other purposes. */
const RESERVED = new Set([
  ...["admin", "api", "app", "auth", "blog", "chat", "docs", "help", "mail", "root", "signup"],
  ...["skein", "smtp", "static", "status", "support", "www"],
]);

/** `available`, or why the subdomain is not. */
function availabilityOf(subdomain: string, { realms }: Hosts): string {
  const length = Array.from(subdomain).length;
  if (length < LENGTH_MIN) return `Subdomain needs to have length ${LENGTH_MIN} or greater.`;
  if (length > LENGTH_MAX) return `Subdomain must not be longer than ${LENGTH_MAX} characters.`;
  if (!/^[a-z0-9-]+$/.test(subdomain)) {
    return "Subdomain can only have lowercase letters, numbers, and '-'s.";
  }
  if (/^-|-$/.test(subdomain)) return "Subdomain cannot start or end with a '-'.";
  if (RESERVED.has(subdomain)) return "Subdomain reserved. Please choose a different one.";
  if (realms.some(({ config }) => config.subdomain === subdomain)) {
    return "Subdomain already in use. Please choose a different one.";
  }
  return "available";
}

export const getSubdomain = openEndpoint({
  summary: "Get whether a subdomain is available",
  tag: "Organization",
  params: { subdomain: text },
  answer: Type.Object({ msg: Type.String() }),
  run: availability,
  withoutRealm: availability,
});

function availability({ hosts }: Pick<HostContext, "hosts">, { subdomain }: { subdomain: string }) {
  return { msg: availabilityOf(subdomain, hosts) };
}
