// Converts the rich text of a Campfire message to Markdown, with marks for mentioned users.
import { bareAddress } from "../../../text/html/bare-address.ts";
import { markdownOfHtml, type Special } from "../../../text/html/markdown.ts";
import { decodeUrlPart } from "../../../text/input/decode-url-part.ts";

export const keyOfUser = (id: number | string) => `U:${id}`;

export function markdownOfBody(body: string, isUser: (key: string) => boolean): string {
  const special: Special = ({ name, attributes }) => {
    if (name !== "action-text-attachment") return undefined;
    const key = mentionedIn(attributes["sgid"] ?? "");
    if (key !== undefined) return isUser(key) ? `\u0001${key}\u0001` : "@user";
    // Omits link previews, because the text contains the link.
    if (attributes["content-type"]?.includes("opengraph")) return "";
    const url = attributes["href"] ?? attributes["url"] ?? "";
    return /^https?:/.test(url) ? bareAddress(url) : (attributes["filename"] ?? "");
  };
  return markdownOfHtml(body, special);
}

const USER = /gid:\/\/[\w-]+\/User\/(\d{1,12})/;
const SGID_LENGTH_MAX = 4_000;

/** Finds the user in a signed id: Base64, or in older versions Base64 inside of Base64. */
function mentionedIn(sgid: string): string | undefined {
  const [payload = ""] = sgid.slice(0, SGID_LENGTH_MAX).split("--");
  const outer = Buffer.from(decodeUrlPart(payload), "base64").toString("latin1");
  const [, inner = ""] = /"message":"([\w+/=-]+)"/.exec(outer) ?? [];
  const texts = [outer, Buffer.from(inner, "base64").toString("latin1")];
  for (const text of texts) {
    const [, id] = USER.exec(text) ?? [];
    if (id !== undefined) return keyOfUser(id);
  }
  return undefined;
}
