// Answers who comes without TLS: who checks that a name is ours, and whom to send where TLS is.
import { hasManyHosts } from "./asker/proxies.ts";
import type { Certificates } from "./certificates.ts";
import type { Hosts } from "./hosts.ts";
import { partsOf } from "./routing.ts";

const CHALLENGE = "/.well-known/acme-challenge/";
const MOVED = 308;
const IDLE_SECONDS = 30;
/** Requests to this listener have no useful body. */
const BODY_BYTES_MAX = 65_536;

/** `url`: where people go whose host is of no organization. */
export function servePlainly(
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
      const { host: asked, path, query } = partsOf(request.url);
      if (path.startsWith(CHALLENGE)) {
        const words = certificates.challenge(path.slice(CHALLENGE.length));
        return new Response(words ?? "Nobody asks for that.\n", {
          status: words === undefined ? 404 : 200,
          headers: { "Content-Type": "text/plain" },
        });
      }
      const home = hosts.realmAt(asked)?.config.url || url;
      const Location = `${home}${path}${query === "" ? "" : `?${query}`}`;
      return new Response(null, { status: MOVED, headers: { Location } });
    },
  });
}
