// Actions of a topic, wherever its name is displayed.
import { addressOf, go } from "../../store/address.ts";
import { getState } from "../../store/store.ts";
import type { Box } from "../../ui/anchor-box.ts";
import { type MenuItem, openMenu } from "../../ui/menu.tsx";
import { channelView, topicView } from "../../views.ts";
import { t, type TextKey } from "../../words/words.ts";
import { copyLink, openInNewTab } from "../lists/open-view.ts";
import { permalinkView } from "../lists/selectors.ts";
import { showFiles } from "../files/address.ts";
import { topicName } from "../conversation/selectors.ts";
import { canDeleteTopic } from "../messages/permissions.ts";
import { pinItem } from "../pinned/menu.ts";
import { searchItems } from "../search/start-search.ts";
import { openNoteEditor } from "../topic-notes/open-dialogs.ts";
import { canWriteNote } from "../topic-notes/permissions.ts";
import { markConversationsAsRead } from "../unread/actions.ts";
import { choosePolicy, toggleResolved, unreadOf } from "./actions.ts";
import { deleteTopic } from "./delete.ts";
import { moveItems } from "./move-topic.ts";
import { isOpen, canResolve } from "./permissions.ts";
import { isResolved } from "./rules.ts";
import { isChannelMuted, policyOf, VISIBILITY } from "./state.ts";
import type { IconName } from "../../content/icon-names.ts";

const POLICIES: readonly (readonly [number, TextKey, TextKey, IconName])[] = [
  [VISIBILITY.muted, "mute", "topic-mute-means", "bell-off"],
  [VISIBILITY.default, "topic-default", "topic-default-means", "hash"],
  [VISIBILITY.unmuted, "topic-unmute", "topic-unmute-means", "bell"],
  [VISIBILITY.followed, "topic-follow", "topic-follow-means", "follow"],
];

/** The policies, each with an explanation, and which is selected. */
function policyItems(stream_id: number, topic: string): MenuItem[] {
  const state = getState();
  const currentPolicy = policyOf(state.topics, stream_id, topic);
  // In other channels, it would have no effect.
  const canUnmute =
    isChannelMuted(state.channels, stream_id) || currentPolicy === VISIBILITY.unmuted;
  return POLICIES.filter(([policy]) => policy !== VISIBILITY.unmuted || canUnmute).map(
    ([policy, name, means, icon]) => ({
      label: t(name),
      note: t(means),
      icon,
      isChecked: policy === currentPolicy,
      run: () => choosePolicy(stream_id, topic, policy),
    }),
  );
}

export function openPolicyMenu(anchor: Box, stream_id: number, topic: string): void {
  openMenu(anchor, t("topic-visibility"), policyItems(stream_id, topic));
}

export function openTopicMenu(anchor: Box, stream_id: number, topic: string): void {
  const view = topicView(stream_id, topic);
  const lasting = addressOf(permalinkView({ stream_id, topic }));
  const unread = unreadOf(stream_id, topic);
  const isDone = isResolved(topic);
  openMenu(anchor, topicName(topic), [
    ...(isOpen(stream_id) ? [...policyItems(stream_id, topic), undefined] : []),
    ...(unread.length > 0
      ? [
          {
            label: t("mark-as-read"),
            icon: "check" as const,
            run: () => markConversationsAsRead(unread),
          },
        ]
      : []),
    ...(canResolve(stream_id)
      ? [
          {
            label: isDone ? t("unresolve") : t("resolve"),
            icon: "resolve" as const,
            run: () => void toggleResolved(stream_id, topic),
          },
        ]
      : []),
    ...moveItems(stream_id, topic),
    ...(canWriteNote(stream_id)
      ? [
          {
            label: t("topic-note"),
            asks: true,
            icon: "pencil" as const,
            run: () => void openNoteEditor({ stream_id, topic }),
          },
        ]
      : []),
    undefined,
    ...searchItems(view),
    { label: t("files"), icon: "clip", run: () => showFiles(view) },
    pinItem(view),
    { label: t("copy-link"), icon: "link", run: () => copyLink(lasting) },
    { label: t("open-in-tab"), icon: "forward", run: () => openInNewTab(view) },
    { label: t("all-of-channel"), icon: "layers", run: () => go(channelView(stream_id)) },
    ...(canDeleteTopic(getState(), stream_id)
      ? [
          undefined,
          {
            label: t("topic-delete"),
            asks: true,
            icon: "trash" as const,
            kind: "danger" as const,
            run: () => deleteTopic(stream_id, topic),
          },
        ]
      : []),
  ]);
}
