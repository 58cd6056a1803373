// The view that opens for a channel: its newest topic, all messages, or its list of topics.
import { getState } from "../../store/store.ts";
import { channelView, topicView, type View } from "../../views.ts";

const CHANNEL_LINK_TARGET = { newest: 1, messages: 2, topics: 3, unread: 4 } as const;

export function channelHome(stream_id: number): View {
  const { settings, topics, unread } = getState();
  const choice = settings.settings["web_channel_default_view"];
  if (choice === CHANNEL_LINK_TARGET.topics) return { kind: "topics", stream_id };
  if (choice === CHANNEL_LINK_TARGET.messages) return channelView(stream_id);
  if (choice === CHANNEL_LINK_TARGET.unread) {
    const conversations = [...(unread.channels.get(stream_id)?.conversations ?? [])];
    const unmuted = conversations.filter(({ isMuted }) => !isMuted);
    const [top] = unmuted.sort((a, b) => b.ids.at(-1)! - a.ids.at(-1)!);
    if (top) return topicView(stream_id, top.topic);
  }
  let newest: { name: string; max_id: number } | undefined;
  for (const topic of topics.byChannel.get(stream_id)?.values() ?? []) {
    if (!newest || topic.max_id > newest.max_id) newest = topic;
  }
  return newest ? topicView(stream_id, newest.name) : { kind: "topics", stream_id };
}
