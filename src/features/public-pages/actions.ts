// Public pages of web-public channels, for browsers without scripts and for search engines.
import { pathNotFound } from "../../contract/errors/general.ts";
import { nonNegativeInt, type OpenContext, openEndpoint, optional, text } from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { Channel, Topic } from "../../schema/records.ts";
import { plainText } from "../../text/plain-text.ts";
import { EMPTY_TOPIC_NAME } from "../messages/rules.ts";
import { messagePresenter } from "../messages/wire.ts";
import { translatorOf } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";
import type { Translator } from "../i18n/translations.ts";
import { SPECTATOR } from "../rights/rules.ts";
import { accessOpenChannel, accessOpenChannels, publicTopic } from "./access.ts";
import { channelPath, clientPath, PUBLIC, topicPath } from "./addresses.ts";
import { shownContent, widgetIn } from "./content.ts";
import { publicPage } from "./frame.ts";
import { messagesAfter, topicsBefore } from "./pages.ts";

export const showPublic = openEndpoint({
  summary: "List public channels, as a page",
  tag: "Pages",
  params: {},
  run({ realm, request }) {
    const channels = accessOpenChannels(realm.read);
    const translator = translatorOf({ realm, request });
    const { name } = realm.read.settings;
    const rows = channels.map((channel) =>
      row(channelPath(channel), channel.name, describedBy(channel)),
    );
    const body = markup`<h1>${name}</h1><p class="sub">${translator.translate("public-open")}</p>
<ul class="places">${rows}</ul>`;
    const client = "/";
    return publicPage(realm, request, {
      speech: translator,
      title: name,
      canonical: PUBLIC,
      client,
      body,
    });
  },
});

export const showPublicChannel = openEndpoint({
  summary: "List topics of a public channel, as a page",
  tag: "Pages",
  params: { channel: text, before: optional(nonNegativeInt) },
  run({ realm, request }, { channel: segment, before }) {
    const channel = accessOpenChannel(realm.read, segment);
    const { topics, next } = topicsBefore(realm.read, channel, before ?? Infinity);
    if (topics.length === 0 && before !== undefined) throw pathNotFound();
    const translator = translatorOf({ realm, request });
    const { translate } = translator;
    const path = channelPath(channel);
    const description = describedBy(channel);
    const nextPath = next === undefined ? undefined : `${path}?before=${next}`;
    const rows = topics.map((topic) => row(topicPath(channel, topic), nameOf(topic)));
    const body = markup`<h1><bdi>${channel.name}</bdi></h1>
<p class="sub" dir="auto">${description || translate("public-open")}</p>
<ul class="places">${rows}</ul>
${navigationLinks(
  translator,
  before === undefined ? undefined : [path, translate("public-newest-topics")],
  nextPath === undefined ? undefined : [nextPath, translate("public-older-topics")],
)}`;
    return publicPage(realm, request, {
      speech: translator,
      title: channel.name,
      description,
      canonical: before === undefined ? path : `${path}?before=${before}`,
      next: nextPath,
      client: clientPath(channel),
      body,
    });
  },
});

export const showPublicTopic = openEndpoint({
  summary: "List messages of a topic in a public channel, as a page",
  tag: "Pages",
  params: { channel: text, topic: text, after: optional(nonNegativeInt) },
  run({ realm, request }, { channel: in_channel, topic: segment, after = 0 }) {
    const { read } = realm;
    const channel = accessOpenChannel(read, in_channel);
    const topic = publicTopic(read, channel, segment);
    if (topic === undefined) return topicGone({ realm, request }, channel);
    const { messages, previous, next } = messagesAfter(read, topic, after);
    // There is no page after the last one.
    if (messages.length === 0 && after > 0) throw pathNotFound();
    const path = topicPath(channel, topic);
    const urlAfter = (id: number) => (id === 0 ? path : `${path}?after=${id}`);
    const pages = {
      previous: previous === undefined ? undefined : urlAfter(previous),
      next: next === undefined ? undefined : urlAfter(next),
    };
    const translator = translatorOf({ realm, request });
    const { translate } = translator;
    const title = nameOf(topic);
    const body = markup`<h1><a href="${channelPath(channel)}"><bdi>${channel.name}</bdi></a>
<span aria-hidden="true">›</span> <bdi>${title}</bdi></h1>
<p class="sub">${translate("public-open")} ·
<a href="${clientPath(channel, topic)}">${translate("public-live")}</a></p>
<ol class="said">${messageHtml(read, translator, messages)}</ol>
${navigationLinks(
  translator,
  pages.previous === undefined ? undefined : [pages.previous, translate("public-earlier")],
  pages.next === undefined ? undefined : [pages.next, translate("public-later")],
)}`;
    return publicPage(realm, request, {
      speech: translator,
      ...pages,
      title: `${title} · ${channel.name}`,
      canonical: urlAfter(after),
      client: clientPath(channel, topic),
      body,
    });
  },
});

/**
 * Search engines may still link to it. The response does not name the new place, which may not be
 * public.
 */
function topicGone({ realm, request }: Pick<OpenContext, "realm" | "request">, channel: Channel) {
  const translator = translatorOf({ realm, request });
  const title = translator.translate("not-found");
  const path = channelPath(channel);
  const body = markup`<h1><a href="${path}"><bdi>${channel.name}</bdi></a>
<span aria-hidden="true">›</span> ${title}</h1>
<p>${translator.translate("public-gone")}</p>
${navigationLinks(translator, [path, translator.translate("public-newest-topics")], undefined)}`;
  const status = 404;
  const client = clientPath(channel);
  return publicPage(realm, request, {
    speech: translator,
    title,
    canonical: path,
    client,
    body,
    status,
  });
}

const nameOf = ({ name }: Topic): string => name || EMPTY_TOPIC_NAME;

/** The text of its description, without Markdown. */
const describedBy = ({ rendered_description: html }: Channel): string => plainText(html).trim();

function row(path: string, name: string, line = ""): Html {
  const more = line === "" ? markup`` : markup`<span dir="auto">${line}</span>`;
  return markup`<li><a href="${path}"><bdi>${name}</bdi></a>${more}</li>`;
}

type PageLink = readonly [path: string, words: string];

function navigationLinks(
  { translate }: Translator,
  previous: PageLink | undefined,
  next: PageLink | undefined,
): Html {
  if (previous === undefined && next === undefined) return markup``;
  const link = (rel: string, target: PageLink | undefined) =>
    target === undefined
      ? markup`<span></span>`
      : markup`<a class="button" rel="${rel}" href="${target[0]}">${target[1]}</a>`;
  const links = markup`${link("prev", previous)}
${link("next", next)}`;
  return markup`<nav class="ways" aria-label="${translate("public-pages")}">${links}</nav>`;
}

const FORM = {
  apply_markdown: true,
  client_gravatar: false,
  allow_empty_topic_name: true,
  viewer: SPECTATOR,
} as const;

/** Sender, time and content of each message, and no other data. */
function messageHtml(reader: Reader, translator: Translator, messages: readonly Message[]): Html[] {
  const present = messagePresenter(reader, FORM);
  return messages.map((message) => {
    const { id, timestamp, content, sender_full_name } = present(message);
    const date = new Date(timestamp * 1000);
    const contentHtml = widgetIn(message, translator) ?? shownContent(content, translator);
    return markup`<li><article id="m${id}" aria-labelledby="h${id}">
<header id="h${id}"><b><bdi>${sender_full_name}</bdi></b> <a href="#m${id}"><time
datetime="${date.toISOString()}">${translator.stamp(timestamp)}</time></a></header>
<div class="md" dir="auto">${contentHtml}</div></article></li>`;
  });
}
