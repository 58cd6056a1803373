// Over which scheme a request came: as the address that is given says, or a proxy that is believed.
import type { Config } from "../../contract/config.ts";

/** By request: the address that its client asked, where a proxy says that it did over https. */
const asked = new WeakMap<Request, string>();

export function noteHttps(request: Request, host: string): void {
  asked.set(request, `https://${host}`);
}

interface Served {
  readonly config: Pick<Config, "url" | "is_url_guessed">;
}

/** Does the browser speak TLS, to us or to the proxy before us? */
export function isSecure({ config }: Served, request: Request): boolean {
  return config.url.startsWith("https:") || asked.has(request);
}

/** The address for links to whom the answer goes; what is kept or mailed has the realm's own. */
export function urlFor({ config }: Served, request: Request): string {
  const told = config.is_url_guessed ? asked.get(request) : undefined;
  return told ?? config.url;
}
