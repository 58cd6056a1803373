// The bar above messages: the conversation's names and its actions.
import type { NarrowTerm } from "../../../../text/narrow-fragment.ts";
import { go } from "../../../store/address.ts";
import type { BarWords } from "../../../feed/paint.ts";
import { runCommand } from "../../../ui/keys/commands.ts";
import { subscribe, maybeState, getState } from "../../../store/store.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Colored } from "../../../ui/colored.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { IconName } from "../../../content/icon-names.ts";
import { channelView, conversationOf } from "../../../views.ts";
import { t, type TextKey } from "../../../words/words.ts";
import { nameOf } from "../../page/selectors.ts";
import { SidebarButton } from "../../page/sidebar-button.tsx";
import { ConnectionBanner } from "../../page/connection-banner.tsx";
import { fitsBeside, isBeside, isOver, togglePanel } from "../../people/panel-state.ts";
import { isOpen, canResolve } from "../../topics/permissions.ts";
import { isResolved, unresolved } from "../../topics/rules.ts";
import { policyOf, VISIBILITY } from "../../topics/state.ts";
import { topicKey } from "../../../conversation-keys.ts";
import { barOf } from "./selectors.ts";
import { topicName } from "../selectors.ts";
import { channelMenu, policyMenu, topicMenu } from "../../menus/menus.ts";
import { descriptionText, channelSubtitle } from "../../channels/selectors.ts";

export function Bar({ terms }: { terms: readonly NarrowTerm[] }) {
  subscribe("channels", "users", "realm");
  const state = maybeState();
  if (!state) return null;
  const conversation = conversationOf(terms, state.people.me);
  const channelId = Number(terms.find(({ operator }) => operator === "channel")?.operand);
  const channel = state.channels.channels.get(channelId)?.row;
  const words = conversation
    ? barOf(conversation)
    : channel && barOf({ stream_id: channelId, topic: "" });
  const topic = conversation && "stream_id" in conversation ? conversation.topic : undefined;
  const name =
    topic === undefined
      ? (words?.title ?? nameOf({ kind: "messages", terms: [...terms] }, state))
      : topicName(unresolved(topic));
  const sub =
    channel && (topic === undefined ? channelSubtitle(channel) : descriptionText(channel));
  return (
    <div>
      <header class="bar">
        <SidebarButton isTop={!conversation} />
        <div class="bar-main">
          <h1>
            <Crumbs words={words} isChannel={!conversation} />
            {topic !== undefined && isResolved(topic) && <Icon name="resolve" size={18} />}
            {(conversation || !words) && <bdi class="tp">{name}</bdi>}
          </h1>
          {sub && <p class="sub">{sub}</p>}
        </div>
        <div class="bar-acts">
          {topic !== undefined && <TopicActions stream_id={channelId} topic={topic} />}
          {topic === undefined && channel && <ChannelActions stream_id={channelId} />}
          <span class={channel && "wide-only"}>
            <IconButton
              icon="search"
              label={t("search-here")}
              onClick={() => runCommand("search-here")}
            />
          </span>
          <PanelToggle />
          {channel && <More stream_id={channelId} topic={topic} />}
        </div>
      </header>
      <ConnectionBanner />
    </div>
  );
}

/** The button that shows and hides the panel with users. */
export function PanelToggle() {
  return (
    <IconButton
      icon="panel"
      label={t("people")}
      isPressed={fitsBeside() ? isBeside.value : isOver.value}
      onClick={togglePanel}
    />
  );
}

/** The channel's icon and name. If the view is a whole channel, its name is the heading. */
function Crumbs({ words, isChannel }: { words: BarWords | undefined; isChannel: boolean }) {
  if (!words) return null;
  return (
    <>
      <Colored color={words.color} class="ch">
        <Icon name={words.icon} />
      </Colored>
      {words.channel && (
        <Colored color={words.color}>
          <a class="crumb" href={words.channel.address}>
            <bdi>{words.channel.name}</bdi>
          </a>
        </Colored>
      )}
      {words.channel && !isChannel && (
        <span class="sl" aria-hidden="true">
          ›
        </span>
      )}
    </>
  );
}

function More({ stream_id, topic }: { stream_id: number; topic: string | undefined }) {
  return (
    <IconButton
      icon="dots"
      label={t("more")}
      aria-haspopup="menu"
      onClick={({ currentTarget }) =>
        topic === undefined
          ? void channelMenu(currentTarget, stream_id)
          : void topicMenu(currentTarget, stream_id, topic)
      }
    />
  );
}

const POLICIES: Readonly<Record<number, readonly [TextKey, IconName]>> = {
  [VISIBILITY.default]: ["topic-follow", "follow"],
  [VISIBILITY.muted]: ["topic-muted", "bell-off"],
  [VISIBILITY.unmuted]: ["topic-unmuted", "bell"],
  [VISIBILITY.followed]: ["following", "follow"],
};

function TopicActions({ stream_id, topic }: { stream_id: number; topic: string }) {
  subscribe("groups", `channel:${stream_id}`, `topic:${topicKey(stream_id, topic)}`);
  if (!isOpen(stream_id)) return null;
  const policy = policyOf(getState().topics, stream_id, topic);
  const [word, icon] = POLICIES[policy]!;
  return (
    <>
      <Button
        icon={icon}
        aria-haspopup="menu"
        {...(policy === VISIBILITY.followed && { isPressed: true })}
        onClick={({ currentTarget }) => void policyMenu(currentTarget, stream_id, topic)}
      >
        {t(word)}
      </Button>
      {canResolve(stream_id) && (
        <Button icon="resolve" onClick={() => void toggle(stream_id, topic)}>
          {t(isResolved(topic) ? "unresolve" : "resolve")}
        </Button>
      )}
    </>
  );
}

async function toggle(stream_id: number, topic: string): Promise<void> {
  const { toggleResolved } = await import("../../topics/actions.ts");
  await toggleResolved(stream_id, topic);
}

/** Switches between the list of topics and all messages. */
export function ChannelActions({
  stream_id,
  isList = false,
}: {
  stream_id: number;
  isList?: boolean;
}) {
  return (
    <>
      <div class="seg wide-only" role="group" aria-label={t("show")}>
        <button
          type="button"
          aria-pressed={isList}
          onClick={() => go({ kind: "topics", stream_id })}
        >
          {t("topics")}
        </button>
        <button type="button" aria-pressed={!isList} onClick={() => go(channelView(stream_id))}>
          {t("messages")}
        </button>
      </div>
      {isOpen(stream_id) && (
        <span class="wide-only">
          <Button icon="plus" onClick={() => runCommand("new-message")}>
            {t("start-topic")}
          </Button>
        </span>
      )}
    </>
  );
}
