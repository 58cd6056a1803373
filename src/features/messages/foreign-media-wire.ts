// Under which addresses clients find pictures and films of other hosts: those of this server.
import { timingSafeEqual } from "node:crypto";
import type { Reader } from "../../realm.ts";
import { withForeignMedia } from "../../text/foreign-media.ts";

const FOLDER = "/external_content";
/** What this server has itself, and shows to whoever may see it. */
const OWN = /^\/(?:user_uploads|user_avatars|static|external_content)\//;

/** Kept HTML as it is shown: no client is made to ask another host. */
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

/** The other way round; undefined where the server has not made that address itself. */
export function urlIn({ secret }: Reader, signature: string, hex: string): string | undefined {
  const url = Buffer.from(hex, "hex").toString();
  const own = Buffer.from(secret.sign(url));
  const given = Buffer.from(signature);
  const isSigned = own.length === given.length && timingSafeEqual(own, given);
  return isSigned && Buffer.from(url).toString("hex") === hex ? url : undefined;
}
