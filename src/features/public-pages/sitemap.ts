// The sitemap of public pages for search engines, if the organization allows them.
import { pathNotFound } from "../../contract/errors/general.ts";
import { openEndpoint } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import { markup } from "../i18n/markup.ts";
import { accessOpenChannels, canBeIndexed } from "./access.ts";
import { channelPath, PUBLIC, topicPath } from "./addresses.ts";
import { withEtag } from "./frame.ts";
import { topicsBefore } from "./pages.ts";

/** Limits per channel and in total; crawlers find older topics through links between pages. */
const TOPICS_PER_CHANNEL_MAX = 1000;
const ADDRESSES_MAX = 10_000;

export const getSitemap = openEndpoint({
  summary: "Get the site map of the public pages",
  tag: "Pages",
  params: {},
  run({ realm, request }) {
    if (!canBeIndexed(realm.read)) throw pathNotFound();
    const { url } = realm.read.config;
    const rows = addresses(realm).map((path) => markup`<url><loc>${url}${path}</loc></url>\n`);
    const { text } = markup`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${rows}</urlset>
`;
    return withEtag(realm, request, text, "application/xml; charset=utf-8");
  },
});

function addresses({ read }: Realm): string[] {
  const channels = accessOpenChannels(read).slice(0, ADDRESSES_MAX / 2);
  const paths = [PUBLIC, ...channels.map(channelPath)];
  for (const channel of channels) {
    const max = Math.min(TOPICS_PER_CHANNEL_MAX, ADDRESSES_MAX - paths.length);
    if (max <= 0) break;
    const { topics } = topicsBefore(read, channel, Infinity, max);
    paths.push(...topics.map((topic) => topicPath(channel, topic)));
  }
  return paths;
}
