// The public pages: what is open to everyone, for browsers without scripts and for search engines.
import { pathNotFound } from "../../contract/errors/general.ts";
import { nonNegativeInt, openEndpoint, optional, text } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { Topic } from "../../schema/records.ts";
import { EMPTY_TOPIC_NAME } from "../messages/rules.ts";
import { messagePresenter } from "../messages/wire.ts";
import { type Html, markup } from "../speech/markup.ts";
import { SPECTATOR } from "../rights/rules.ts";
import { accessOpenChannel, accessOpenChannels, accessOpenTopic } from "./access.ts";
import { channelPath, clientPath, PUBLIC, topicPath } from "./addresses.ts";
import { shownContent } from "./content.ts";
import { publicPage } from "./frame.ts";
import { messagesAfter, topicsBefore } from "./pages.ts";

const OPEN = "Open to read for everyone";

export const showPublic = openEndpoint({
  summary: "The channels that are open to everyone, as a page",
  tag: "Pages",
  params: {},
  run({ realm, request }) {
    const channels = accessOpenChannels(realm.read);
    const { name } = realm.read.settings;
    const rows = channels.map((channel) =>
      row(channelPath(channel), channel.name, channel.description),
    );
    const body = markup`<h1>${name}</h1><p class="sub">${OPEN}</p><ul class="places">${rows}</ul>`;
    const client = "/";
    return publicPage(realm, request, { title: name, canonical: PUBLIC, client, body });
  },
});

export const showPublicChannel = openEndpoint({
  summary: "The topics of a channel that is open to everyone, as a page",
  tag: "Pages",
  params: { channel: text, before: optional(nonNegativeInt) },
  run({ realm, request }, { channel: segment, before }) {
    const channel = accessOpenChannel(realm.read, segment);
    const { topics, next } = topicsBefore(realm.read, channel, before ?? Infinity);
    if (topics.length === 0 && before !== undefined) throw pathNotFound();
    const path = channelPath(channel);
    const nextPath = next === undefined ? undefined : `${path}?before=${next}`;
    const rows = topics.map((topic) => row(topicPath(channel, topic), nameOf(topic)));
    const body = markup`<h1><bdi>${channel.name}</bdi></h1>
<p class="sub" dir="auto">${channel.description || OPEN}</p>
<ul class="places">${rows}</ul>
${ways(before === undefined ? undefined : path, "Newest topics", nextPath, "Older topics")}`;
    return publicPage(realm, request, {
      title: channel.name,
      description: channel.description,
      canonical: before === undefined ? path : `${path}?before=${before}`,
      next: nextPath,
      client: clientPath(channel),
      body,
    });
  },
});

export const showPublicTopic = openEndpoint({
  summary: "The messages of a topic that is open to everyone, as a page",
  tag: "Pages",
  params: { channel: text, topic: text, after: optional(nonNegativeInt) },
  run({ realm, request }, { channel: in_channel, topic: segment, after = 0 }) {
    const { read } = realm;
    const channel = accessOpenChannel(read, in_channel);
    const topic = accessOpenTopic(read, channel, segment);
    const { messages, previous, next } = messagesAfter(read, topic, after);
    // There is no page behind the last one.
    if (messages.length === 0 && after > 0) throw pathNotFound();
    const path = topicPath(channel, topic);
    const at = (id: number) => (id === 0 ? path : `${path}?after=${id}`);
    const pages = {
      previous: previous === undefined ? undefined : at(previous),
      next: next === undefined ? undefined : at(next),
    };
    const title = nameOf(topic);
    const body = markup`<h1><a href="${channelPath(channel)}"><bdi>${channel.name}</bdi></a>
<span aria-hidden="true">›</span> <bdi>${title}</bdi></h1>
<p class="sub">${OPEN} · <a href="${clientPath(channel, topic)}">Read it live</a></p>
<ol class="said">${said(read, messages)}</ol>
${ways(pages.previous, "Earlier messages", pages.next, "Later messages")}`;
    return publicPage(realm, request, {
      ...pages,
      title: `${title} · ${channel.name}`,
      canonical: at(after),
      client: clientPath(channel, topic),
      body,
    });
  },
});

const nameOf = ({ name }: Topic): string => name || EMPTY_TOPIC_NAME;

function row(path: string, name: string, line = ""): Html {
  const more = line === "" ? markup`` : markup`<span dir="auto">${line}</span>`;
  return markup`<li><a href="${path}"><bdi>${name}</bdi></a>${more}</li>`;
}

function ways(
  back: string | undefined,
  backWords: string,
  on: string | undefined,
  onWords: string,
): Html {
  if (back === undefined && on === undefined) return markup``;
  const link = (rel: string, path: string | undefined, words: string) =>
    path === undefined
      ? markup`<span></span>`
      : markup`<a class="button" rel="${rel}" href="${path}">${words}</a>`;
  return markup`<nav class="ways" aria-label="Pages">${link("prev", back, backWords)}
${link("next", on, onWords)}</nav>`;
}

const FORM = {
  apply_markdown: true,
  client_gravatar: false,
  allow_empty_topic_name: true,
  viewer: SPECTATOR,
} as const;

/** Who, when and what: nothing else of anybody. */
function said(reader: Reader, messages: readonly Message[]): Html[] {
  const present = messagePresenter(reader, FORM);
  return messages.map((message) => {
    const { id, timestamp, content, sender_full_name } = present(message);
    const at = new Date(timestamp * 1000);
    return markup`<li><article id="m${id}" aria-labelledby="h${id}">
<header id="h${id}"><b><bdi>${sender_full_name}</bdi></b> <a href="#m${id}"><time
datetime="${at.toISOString()}">${moments().format(at)}</time></a></header>
<div class="md" dir="auto">${shownContent(content)}</div></article></li>`;
  });
}

const MOMENT = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
let made: Intl.DateTimeFormat | undefined;

/** Made when it is first needed, as that takes longer than most of a start. */
const moments = () => (made ??= new Intl.DateTimeFormat("en-GB", MOMENT));
