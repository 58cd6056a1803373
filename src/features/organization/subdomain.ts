// Whether an organization could have this name in its address.
import Type from "typebox";
import { type HostContext, openEndpoint, text } from "../../endpoint.ts";
import type { Hosts } from "../../server/hosts.ts";

const LENGTH_MIN = 3;
const LENGTH_MAX = 40;
/** Addresses of this kind are expected to be something else. */
const RESERVED = new Set([
  ...["admin", "api", "app", "auth", "blog", "chat", "docs", "help", "mail", "root", "signup"],
  ...["skein", "smtp", "static", "status", "support", "www"],
]);

/** In words, for who chooses: `available`, or what speaks against it. */
function verdictOn(subdomain: string, { realms }: Hosts): string {
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
  summary: "Say whether a subdomain is free",
  tag: "Organization",
  params: { subdomain: text },
  answer: Type.Object({ msg: Type.String() }),
  run: verdict,
  withoutRealm: verdict,
});

function verdict({ hosts }: Pick<HostContext, "hosts">, { subdomain }: { subdomain: string }) {
  return { msg: verdictOn(subdomain, hosts) };
}
