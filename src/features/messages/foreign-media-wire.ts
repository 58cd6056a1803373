// Rewrites images and videos of other hosts to this server's proxy.
import { timingSafeEqual } from "node:crypto";
import type { Reader } from "../../realm.ts";
import { withForeignMedia } from "../../text/foreign-media.ts";

const FOLDER = "/external_content";
/** Files of this server, which has its own access checks for them. */
const OWN = /^\/(?:user_uploads|user_avatars|static|external_content)\//;

/** Returns stored HTML as clients receive it, without requests to other hosts. */
export function shownHtml(reader: Reader, html: string): string {
  if (!reader.config.external_content) return html;
  return withForeignMedia(html, (url) => (isOwn(reader, url) ? url : addressFor(reader, url)));
}

function isOwn({ config }: Reader, address: string): boolean {
  if (!address.startsWith(`${config.url}/`)) return false;
  const url = URL.parse(address);
  return url !== null && url.origin === new URL(config.url).origin && OWN.test(url.pathname);
}

function addressFor({ secret }: Reader, url: string): string {
  return `${FOLDER}/${secret.sign(url)}/${Buffer.from(url).toString("hex")}`;
}

/** Returns the original URL of a proxied file; undefined if the signature is not this server's. */
export function urlIn({ secret }: Reader, signature: string, hex: string): string | undefined {
  const url = Buffer.from(hex, "hex").toString();
  const own = Buffer.from(secret.sign(url));
  const input = Buffer.from(signature);
  const isSigned = own.length === input.length && timingSafeEqual(own, input);
  return isSigned && Buffer.from(url).toString("hex") === hex ? url : undefined;
}
