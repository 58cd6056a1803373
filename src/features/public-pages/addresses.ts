// The URLs of public pages, with readable names in them.
import type { Channel, Topic } from "../../schema/records.ts";
import { narrowFragment } from "../../text/narrow-fragment.ts";

export const PUBLIC = "/public/";
const SLUG_LENGTH_MAX = 60;

export const channelPath = ({ stream_id, name }: Channel): string =>
  `${PUBLIC}channel/${segmentOf(stream_id, name)}/`;

export const topicPath = (channel: Channel, { topic_id, name }: Topic): string =>
  `${channelPath(channel)}topic/${segmentOf(topic_id, name)}/`;

/** The URL in the client, where users can reply. */
export function clientPath({ stream_id }: Channel, topic?: Topic): string {
  const terms = [{ operator: "channel", operand: `${stream_id}`, negated: false }];
  if (topic) terms.push({ operator: "topic", operand: topic.name, negated: false });
  return `/${narrowFragment(terms)}`;
}

function segmentOf(id: number, name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const slug = Array.from(words.join("-")).slice(0, SLUG_LENGTH_MAX).join("");
  return slug === "" ? `${id}` : `${id}-${encodeURIComponent(slug)}`;
}
