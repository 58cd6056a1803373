// Decides which URLs may be linked to, and normalizes them.
import { decodeUrlPart } from "../input/decode-url-part.ts";

const SCHEMES = new Set([
  ...["http", "https", "ftp", "file", "bitcoin", "geo", "im", "irc", "ircs", "magnet", "mailto"],
  ...["matrix", "mms", "news", "nntp", "openpgp4fpr", "sip", "sms", "smsto", "ssh", "tel", "urn"],
  ...["webcal", "wtai", "xmpp", "mid", "hansoft", "obsidian", "zotero", "asanadesktop"],
]);

/** Returns the href of a typed URL; undefined if its scheme is not allowed. */
export function hrefOf(typed: string, realm_url: string): string | undefined {
  const url = typed.trim().replaceAll(" ", "%20");
  if (url === "" || /[\u0000-\u001f\u007f]/.test(url)) return undefined;
  if (/^\/(?!\/)/.test(url) || (url.startsWith("#") && url.length > 1)) return url;
  const scheme = schemeOf(url);
  if (scheme !== undefined) return SCHEMES.has(scheme) ? withoutOwnHost(url, realm_url) : undefined;
  if (/^[^/?#]*@/.test(url)) return `mailto:${url}`;
  return withoutOwnHost(`http://${url.replace(/^\/+/, "")}`, realm_url);
}

/** A host name followed by a port is not a scheme. */
function schemeOf(url: string): string | undefined {
  const match = /^([^/?#:]*):(?![0-9]+(?:[/?#]|$))/.exec(url);
  const scheme = match?.[1] ?? /^(tel|sms|smsto):/i.exec(url)?.[1];
  return scheme?.toLowerCase();
}

function withoutOwnHost(url: string, realm_url: string): string {
  if (!url.startsWith(`${realm_url}/`)) return url;
  const path = url.slice(realm_url.length + 1);
  return path.startsWith("#") || path.startsWith("user_uploads/") ? path : url;
}

/** Returns the path id of an upload of this realm, if the href points to one. */
export function uploadPathId(href: string): string | undefined {
  const path = /^\/?user_uploads\/([0-9]+\/[^?#]+)$/.exec(href)?.[1];
  return path?.includes("%") ? decodeUrlPart(path) : path;
}
