// Renders links to channels, topics and messages by name.
import { narrowUrl } from "../../channel-fragment.ts";
import { writtenName } from "../../input/normalize-name.ts";
import { element, literal } from "../tree.ts";
import type { Node } from "../tree.ts";
import { noteLink } from "./link.ts";
import { BEFORE } from "./mentions.ts";
import type { Passage } from "./patterns.ts";

const CHANNEL = new RegExp(BEFORE + String.raw`#\*\*([^*>\n]+)(?:>([^*\n]*))?\*\*`, "g");

export function channelLinks(text: string, inlineContext: Passage): string {
  if (!text.includes("#**")) return text;
  const { context } = inlineContext;
  return text.replace(CHANNEL, (match, name: string, topicName: string | undefined) => {
    const path = topicName === undefined ? undefined : writtenName(topicName);
    const channel = context.channelByName(name);
    if (channel === undefined) return match;
    const { stream_id } = channel;
    const data = { "data-stream-id": String(stream_id) };
    if (path === undefined) {
      const attributes = { class: "stream", ...data, href: narrowUrl(channel) };
      return linkNode(inlineContext, attributes, [literal(`#${channel.name}`)]);
    }
    const message = /^([^]*)@([0-9]{1,15})$/.exec(path);
    if (message !== null) {
      const [, topic, id] = message as unknown as [string, string, string];
      const href = narrowUrl(channel, topic, { near: Number(id) });
      const words = [...topicWords(channel.name, topic), literal(" @ 💬")];
      return linkNode(inlineContext, { class: "message-link", href }, words);
    }
    const href = narrowUrl(channel, path, { with: context.newestInTopic(stream_id, path) });
    const attributes = { class: "stream-topic", ...data, href };
    return linkNode(inlineContext, attributes, topicWords(channel.name, path));
  });
}

/** Counts as a link for searches and previews. */
function linkNode(context: Passage, attributes: { class: string; href: string }, words: Node[]) {
  const anchor = element("a", attributes, words);
  noteLink(context, anchor, { url: attributes.href, isBare: false });
  return context.placeholderFor(anchor);
}

function topicWords(channel: string, topic: string): Node[] {
  if (topic !== "") return [literal(`#${channel} > ${topic}`)];
  return [literal(`#${channel} > `), element("em", {}, ["general chat"])];
}
