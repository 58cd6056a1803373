// Serves plain HTTP: answers ACME challenges, and redirects everything else to HTTPS.
import { hasManyHosts } from "./caller/proxies.ts";
import type { Certificates } from "./certificates.ts";
import type { Hosts } from "./hosts.ts";
import { partsOf } from "./routing.ts";

const CHALLENGE = "/.well-known/acme-challenge/";
const PERMANENT_REDIRECT = 308;
const IDLE_SECONDS = 30;
/** Requests to this listener have no useful body. */
const BODY_BYTES_MAX = 65_536;

/** `url`: redirect target for hosts of no organization. */
export function serveHttpRedirect(
  { host, port }: { host: string; port: number },
  { hosts, certificates, url }: { hosts: Hosts; certificates: Certificates; url: string },
): Bun.Server<undefined> {
  return Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: BODY_BYTES_MAX,
    fetch(request) {
      if (hasManyHosts(request)) return new Response(null, { status: 400 });
      const { host: requested, path, query } = partsOf(request.url);
      if (path.startsWith(CHALLENGE)) {
        const text = certificates.challenge(path.slice(CHALLENGE.length));
        return new Response(text ?? "Not found.\n", {
          status: text === undefined ? 404 : 200,
          headers: { "Content-Type": "text/plain" },
        });
      }
      const home = hosts.realmAt(requested)?.config.url || url;
      const Location = `${home}${path}${query === "" ? "" : `?${query}`}`;
      return new Response(null, { status: PERMANENT_REDIRECT, headers: { Location } });
    },
  });
}
