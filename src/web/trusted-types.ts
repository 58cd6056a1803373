// The only place where text becomes code or HTML; browsers reject all others (Trusted Types).

/** The URLs of Skein's own workers. */
const SCRIPTS = ["/sw.js", "/poll.js"] as const;
type Script = (typeof SCRIPTS)[number];

/** The policy, if the browser supports it. Other browsers accept plain text. */
interface Policies {
  createPolicy(name: string, rules: PolicyRules): Policy;
}
interface PolicyRules {
  createScriptURL(url: string): string;
}
interface Policy {
  createScriptURL(url: string): unknown;
}

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
const policy = policies?.createPolicy("skein", {
  createScriptURL(url) {
    if (SCRIPTS.some((script) => script === url)) return url;
    throw new TypeError(`${url} is no script of ours`);
  },
});

/** For starting workers; typed as a string for older browsers. */
export function scriptAt(url: Script): string {
  return (policy?.createScriptURL(url) ?? url) as string;
}
