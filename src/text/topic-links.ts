// Finds the links in a topic, which clients show beside it.
import { linkified } from "./linkifiers.ts";
import { hrefOf } from "./markdown/addresses.ts";
import type { Linkifier } from "./markdown/context.ts";
import { addressesIn, type FoundAddress } from "./markdown/inline/autolinks.ts";

interface TopicLink {
  text: string;
  url: string;
}

/** Linkifiers take precedence over bare URLs, earlier ones over later ones. Sorted by position. */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const linkedSpans: { start: number; end: number; url: string }[] = [];
  const links = [
    ...linkifiers.flatMap((linkifier) => [...linkified(topic, linkifier)]),
    ...addressesIn(topic).map((address) => ({ ...address, url: withHttps(topic, address) })),
  ];
  for (const { start, end, url } of links) {
    const href = hrefOf(url, "");
    const overlaps = linkedSpans.some((other) => start < other.end && other.start < end);
    if (end > start && href !== undefined && !overlaps) linkedSpans.push({ start, end, url: href });
  }
  return linkedSpans
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, url }) => ({ text: topic.slice(start, end), url }));
}

/** A bare domain is linked with https. */
function withHttps(topic: string, { start, end, url }: FoundAddress): string {
  return topic.slice(start, end) === url ? url : url.replace(/^http:/, "https:");
}
