// Actions of a topic, from wherever it is named.
import { addressOf, go } from "../../address.ts";
import { known } from "../../live.ts";
import type { Box } from "../../ui/box.ts";
import { type MenuItem, openMenu } from "../../ui/menu.tsx";
import { channelView, topicView } from "../../views.ts";
import { say, type Word } from "../../words/words.ts";
import { copyLink, openAside } from "../lists/open.ts";
import { lastingView } from "../lists/places.ts";
import { showFiles } from "../files/address.ts";
import { topicName } from "../conversation/drawing.ts";
import { mayDeleteTopic } from "../messages/permits.ts";
import { pinItem } from "../pinned/menu.ts";
import { searchItems } from "../search/begin.ts";
import { readPlaces } from "../unread/actions.ts";
import { choosePolicy, toggleResolved, unreadOf } from "./actions.ts";
import { deleteTopic } from "./delete.ts";
import { isOpen, mayResolve } from "./may.ts";
import { isResolved } from "./resolved.ts";
import { policyOf, VISIBILITY } from "./state.ts";
import type { IconName } from "../../ui/icon.tsx";

const POLICIES: readonly (readonly [number, Word, Word, IconName])[] = [
  [VISIBILITY.muted, "mute", "topic-mute-means", "bell-off"],
  [VISIBILITY.default, "topic-default", "topic-default-means", "hash"],
  [VISIBILITY.unmuted, "topic-unmute", "topic-unmute-means", "bell"],
  [VISIBILITY.followed, "topic-follow", "topic-follow-means", "follow"],
];

/** Which of the four one has chosen, each with what it means. */
export function policyItems(stream_id: number, topic: string): MenuItem[] {
  const chosen = policyOf(known()!.topics, stream_id, topic);
  return POLICIES.map(([policy, name, means, icon]) => ({
    label: say(name),
    note: say(means),
    icon,
    isChecked: policy === chosen,
    run: () => choosePolicy(stream_id, topic, policy),
  }));
}

export function openPolicyMenu(beside: Box, stream_id: number, topic: string): void {
  openMenu(beside, say("topic-visibility"), policyItems(stream_id, topic));
}

export function openTopicMenu(beside: Box, stream_id: number, topic: string): void {
  const view = topicView(stream_id, topic);
  const lasting = addressOf(lastingView({ stream_id, topic }));
  const unread = unreadOf(stream_id, topic);
  const done = isResolved(topic);
  openMenu(beside, topicName(topic), [
    ...(isOpen(stream_id) ? [...policyItems(stream_id, topic), undefined] : []),
    ...(unread.length > 0
      ? [{ label: say("mark-as-read"), icon: "check" as const, run: () => readPlaces(unread) }]
      : []),
    ...(mayResolve(stream_id)
      ? [
          {
            label: done ? say("unresolve") : say("resolve"),
            icon: "resolve" as const,
            run: () => void toggleResolved(stream_id, topic),
          },
        ]
      : []),
    undefined,
    ...searchItems(view),
    { label: say("files"), icon: "clip", run: () => showFiles(view) },
    pinItem(view),
    { label: say("copy-link"), icon: "link", run: () => copyLink(lasting) },
    { label: say("open-in-tab"), icon: "forward", run: () => openAside(view) },
    {
      label: say("all-of-channel"),
      icon: "layers",
      run: () => go(channelView(stream_id)),
    },
    ...(mayDeleteTopic(known()!, stream_id)
      ? [
          undefined,
          {
            label: say("topic-delete"),
            icon: "trash" as const,
            kind: "danger" as const,
            run: () => deleteTopic(stream_id, topic),
          },
        ]
      : []),
  ]);
}
