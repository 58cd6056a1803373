// Whether a URL refers to the user's own computer.
import { parseUrl } from "./parse-url.ts";

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;

/** The host of a URL that other devices cannot open; undefined for any other URL. */
export function loopbackHost(url: string): string | undefined {
  const { host, hostname } = parseUrl(url) ?? { host: "", hostname: "" };
  return LOOPBACK.test(hostname) ? host : undefined;
}
