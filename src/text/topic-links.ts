// The links that clients show beside a topic.
import { linkified } from "./linkifiers.ts";
import { hrefOf } from "./markdown/addresses.ts";
import type { Linkifier } from "./markdown/context.ts";
import { addressesIn, type FoundAddress } from "./markdown/inline/autolinks.ts";

export interface TopicLink {
  text: string;
  url: string;
}

/** Linkifiers go before bare addresses, earlier ones before later ones; listed by position. */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const taken: { start: number; end: number; url: string }[] = [];
  const found = [
    ...linkifiers.flatMap((linkifier) => [...linkified(topic, linkifier)]),
    ...addressesIn(topic).map((found) => ({ ...found, url: secured(topic, found) })),
  ];
  for (const { start, end, url } of found) {
    const href = hrefOf(url, "");
    const overlaps = taken.some((other) => start < other.end && other.start < end);
    if (end > start && href !== undefined && !overlaps) taken.push({ start, end, url: href });
  }
  return taken
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, url }) => ({ text: topic.slice(start, end), url }));
}

/** A domain alone is linked to by the safer of its two schemes. */
function secured(topic: string, { start, end, url }: FoundAddress): string {
  return topic.slice(start, end) === url ? url : url.replace(/^http:/, "https:");
}
