// A conversation in a list: name, newest message, participants, time and unread count.
import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { keyOfConversation } from "../../conversation-keys.ts";
import { addressOf } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/button.tsx";
import { setColor } from "../../ui/colored.tsx";
import { Count } from "../../ui/count.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { ConversationRef } from "../../views.ts";
import { formatBrief } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { conversationName, topicName } from "../conversation/selectors.ts";
import { lineOf } from "../messages/preview-selectors.ts";
import type { Message } from "../../contract/message.ts";
import { loadMissing } from "../messages/load-missing-actions.ts";
import { personOf } from "../people/state.ts";
import { isResolved, unresolved } from "../topics/rules.ts";
import { policyOf, VISIBILITY } from "../topics/state.ts";
import { AvatarWithPresence } from "./avatars.tsx";
import { viewOfConversation } from "./selectors.ts";

const FACES_MAX = 3;

interface ConversationListRowProps {
  conversation: ConversationRef;
  itemKey: string;
  isSelected: boolean;
  /** The newest message to display. */
  max_id: number;
  /** Newest first; if absent, the senders of `seen_ids`. */
  participants?: readonly number[];
  seen_ids?: readonly number[];
  /** The icon before the name, if any. */
  lead: "none" | "small" | "large";
  hasChannel?: boolean;
  posinset?: { position: number; total: number };
  /** Actions that the selected row and the hovered row display. */
  actions?: ComponentChildren;
}

export function ConversationListRow(props: ConversationListRowProps) {
  const { conversation, itemKey, isSelected, max_id, lead, hasChannel = false, actions } = props;
  const key = keyOfConversation(conversation);
  const messageIds = [max_id, ...(props.seen_ids ?? [])];
  subscribe(`unread:${key}`, `topic:${key}`, ...messageIds.map((id) => `message:${id}` as const));
  const { unread, messages } = getState();
  useEffect(() => loadMissing(messageIds), [messageIds.join()]);
  const unreadConversation = unread.conversations.get(key);
  const message = messages.byId.get(max_id);
  const count = unreadConversation?.ids.length ?? 0;
  const isMuted = unreadConversation?.isMuted ?? false;
  const isPointed = useSignal(false);
  return (
    <li
      class="list-row"
      onPointerEnter={({ pointerType }) => (isPointed.value = pointerType === "mouse")}
      onPointerLeave={() => (isPointed.value = false)}
      data-has-menu=""
      data-key={itemKey}
      data-unread={count > 0 && !isMuted ? "" : undefined}
      data-at={(unreadConversation?.mentions ?? 0) > 0 ? "" : undefined}
      data-selected={isSelected ? "" : undefined}
      aria-posinset={props.posinset?.position}
      aria-setsize={props.posinset?.total}
    >
      <div class="lead">
        <LeadIcon conversation={conversation} lead={lead} />
        <div>
          <Name conversation={conversation} isSelected={isSelected} hasChannel={hasChannel} />
          <p class="pre" dir="auto">
            {message ? <PreviewLine conversation={conversation} message={message} /> : "\u00a0"}
          </p>
        </div>
      </div>
      <div class="end">
        {(isSelected || isPointed.value) && (
          <span class="act">
            {actions}
            <IconButton icon="dots" size="s" label={t("more")} aria-haspopup="menu" data-row-menu />
          </span>
        )}
        {"stream_id" in conversation && (
          <Faces user_ids={props.participants ?? sendersOf(props.seen_ids ?? [])} />
        )}
        <time>{message ? formatBrief(message.timestamp, Date.now() / 1000) : ""}</time>
        <span class="count-slot">
          <Count count={count} mentions={unreadConversation?.mentions ?? 0} isMuted={isMuted} />
        </span>
      </div>
    </li>
  );
}

function LeadIcon({ conversation, lead }: Pick<ConversationListRowProps, "conversation" | "lead">) {
  if ("user_ids" in conversation) {
    return (
      <AvatarWithPresence user_ids={conversation.user_ids} size={lead === "large" ? 32 : 24} />
    );
  }
  if (lead !== "small") return <span />;
  const { icon, color } = barOf(conversation);
  return (
    <span class="ch" data-c="" ref={(node) => setColor(node, color)}>
      <Icon name={icon} />
    </span>
  );
}

function Name({
  conversation,
  isSelected,
  hasChannel,
}: Pick<ConversationListRowProps, "conversation" | "isSelected" | "hasChannel">) {
  const isDirect = "user_ids" in conversation;
  if (isDirect) subscribe(...conversation.user_ids.map((id) => `user:${id}` as const));
  const name = isDirect
    ? conversationName(conversation.user_ids)
    : topicName(unresolved(conversation.topic));
  const policy = isDirect
    ? VISIBILITY.default
    : policyOf(getState().topics, conversation.stream_id, conversation.topic);
  const isFollowed = policy === VISIBILITY.followed;
  const isMuted = policy === VISIBILITY.muted;
  return (
    <p class="top">
      {isFollowed && <Icon name="follow" size={16} />}
      {isMuted && <Icon name="bell-off" size={16} />}
      {!isDirect && isResolved(conversation.topic) && <Icon name="resolve" size={16} />}
      <b dir="auto">
        <a
          href={addressOf(viewOfConversation(conversation))}
          data-focus=""
          tabIndex={isSelected ? 0 : -1}
        >
          {name}
        </a>
      </b>
      {isFollowed && <span class="vh">{t("following")}</span>}
      {isMuted && <span class="vh">{t("topic-muted")}</span>}
      {!isDirect && isResolved(conversation.topic) && <span class="vh">{t("resolved")}</span>}
      {hasChannel && !isDirect && <small>{barOf(conversation).channel?.name}</small>}
    </p>
  );
}

/**
 * Names the sender, except in a conversation with one other user. The line has the direction of the
 * message, because names with `dir` do not count.
 */
function PreviewLine({
  conversation,
  message,
}: {
  conversation: ConversationRef;
  message: Message;
}) {
  const { people } = getState();
  const { sender_id } = message;
  subscribe(`user:${sender_id}`);
  if (message.is_me_message) {
    return (
      <>
        <b dir="auto">{firstNameOf(message)}</b> {lineOf(message)}
      </>
    );
  }
  const isPlain =
    "user_ids" in conversation && conversation.user_ids.length < 2 && sender_id !== people.me;
  const name = sender_id === people.me ? t("yourself") : firstNameOf(message);
  return (
    <>
      {!isPlain && <b dir="auto">{t("said-by", { name })}</b>}
      {!isPlain && " "}
      {lineOf(message)}
    </>
  );
}

function firstNameOf({ sender_id, sender_full_name }: Message): string {
  const name = personOf(getState().people, sender_id)?.full_name ?? sender_full_name;
  return name.split(/\s/u)[0] ?? name;
}

/** Newest first, each once. */
function sendersOf(ids: readonly number[]): number[] {
  const { byId } = getState().messages;
  const senders = [...ids].sort((a, b) => b - a).flatMap((id) => byId.get(id)?.sender_id ?? []);
  return [...new Set(senders)];
}

/** Shows the avatars of participants, up to a limit. */
function Faces({ user_ids }: { user_ids: readonly number[] }) {
  subscribe(...user_ids.map((id) => `user:${id}` as const));
  const { people } = getState();
  const visiblePeople = user_ids.flatMap((id) => personOf(people, id) ?? []).slice(0, FACES_MAX);
  if (visiblePeople.length === 0) return null;
  return (
    <span
      class="faces"
      role="img"
      aria-label={visiblePeople.map(({ full_name }) => full_name).join(", ")}
    >
      {visiblePeople.map((person) => (
        <Avatar key={person.user_id} person={person} size={24} />
      ))}
    </span>
  );
}
