// The one way by which text becomes code or HTML: browsers refuse every other.

/** The addresses of our own workers. */
const SCRIPTS = ["/sw.js", "/poll.js"] as const;
type Script = (typeof SCRIPTS)[number];

/** As far as browsers support it. Others accept plain text. */
interface Policies {
  createPolicy(name: string, rules: Rules): Policy;
}
interface Rules {
  createScriptURL(url: string): string;
}
interface Policy {
  createScriptURL(url: string): unknown;
}

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
const policy = policies?.createPolicy("skein", {
  createScriptURL(url) {
    if ((SCRIPTS as readonly string[]).includes(url)) return url;
    throw new TypeError(`${url} is no script of ours`);
  },
});

/** Taken by what starts workers; its type is that of the older browsers. */
export function scriptAt(url: Script): string {
  return (policy?.createScriptURL(url) ?? url) as string;
}
