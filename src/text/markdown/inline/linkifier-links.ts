// Links that the organization's linkifiers create.
import { linkified } from "../../linkifiers.ts";
import { hrefOf } from "../addresses.ts";
import type { Linkifier } from "../context.ts";
import { link } from "./link.ts";
import { hasMark, type Passage } from "./patterns.ts";

export function linkifierLinks(text: string, context: Passage): string {
  for (const linkifier of context.context.linkifiers) text = linkWith(text, linkifier, context);
  return text;
}

function linkWith(text: string, linkifier: Linkifier, context: Passage): string {
  let out = "";
  let end = 0;
  for (const linkifiedPart of linkified(text, linkifier)) {
    const typed = text.slice(linkifiedPart.start, linkifiedPart.end);
    if (typed === "" || hasMark(typed)) continue;
    const href = hrefOf(linkifiedPart.url, context.context.realm_url);
    if (href === undefined) continue;
    out += text.slice(end, linkifiedPart.start);
    out += context.placeholderFor(link(context, { href, words: [typed], isBare: false }));
    end = linkifiedPart.end;
  }
  return end === 0 ? text : out + text.slice(end);
}
