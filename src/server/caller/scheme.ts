// Determines the scheme of a request, from the configured URL or a trusted proxy.
import type { Config } from "../../contract/config.ts";

/** The URL that the client requested, for requests that a proxy received over HTTPS. */
const requested = new WeakMap<Request, string>();

export function noteHttps(request: Request, host: string): void {
  requested.set(request, `https://${host}`);
}

interface UrlContext {
  readonly config: Pick<Config, "url" | "is_url_guessed">;
}

/** Whether the browser uses TLS, to Skein or to the proxy in front of it. */
export function isSecure({ config }: UrlContext, request: Request): boolean {
  return config.url.startsWith("https:") || requested.has(request);
}

/**
 * Returns the base URL for links in this response. Stored and mailed links use the realm's own URL.
 */
export function urlFor({ config }: UrlContext, request: Request): string {
  const text = config.is_url_guessed ? requested.get(request) : undefined;
  return text ?? config.url;
}
