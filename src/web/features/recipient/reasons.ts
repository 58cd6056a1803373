// Why a message cannot be sent to a target, as far as the client can tell.
import type { State } from "../../store/state.ts";
import { getState, subscribe } from "../../store/store.ts";
import type { ConversationRef } from "../../views.ts";
import type { TextKey } from "../../words/words.ts";
import { canJoin, canReadChannel } from "../channels/permissions.ts";
import type { KnownChannel } from "../channels/state.ts";
import { can, passesChannelSetting, roleOf } from "../groups/permissions.ts";
import { isMemberOf } from "../groups/selectors.ts";
import { personOf } from "../people/state.ts";
import { conversationKey, foldTopic, peopleOf } from "../../conversation-keys.ts";
import { topicsPolicy } from "./topics-policy.ts";

export interface Reason {
  readonly textKey: TextKey;
  /** Cannot be resolved by editing, or only the server can tell. */
  readonly isFinal: boolean;
}

const GUEST = 600;

export function reasonAgainst(conversation: ConversationRef, state: State): Reason | undefined {
  if ("user_ids" in conversation) return reasonAgainstDirect(conversation.user_ids, state);
  const channel = state.channels.channels.get(conversation.stream_id);
  if (!channel) return { textKey: "no-such-channel", isFinal: true };
  const { row } = channel;
  if (row.is_archived) return { textKey: "channel-archived", isFinal: true };
  const { me } = state.people;
  const isKnown = row.can_send_message_group !== undefined && state.groups.groups.size > 0;
  if (isKnown && !isMemberOf(state.groups, row.can_send_message_group, me))
    return { textKey: "cannot-post", isFinal: true };
  if (!canReachChannel(state, channel)) {
    return { textKey: canJoin(state, channel) ? "join-to-post" : "cannot-post", isFinal: true };
  }
  const policy = topicsPolicy(row, state.organization.fields);
  const hasTopic = conversation.topic.trim() !== "";
  if (policy === "disable_empty_topic" && !hasTopic)
    return { textKey: "topic-needed", isFinal: false };
  if (policy === "empty_topic_only" && hasTopic)
    return { textKey: "no-topics-here", isFinal: false };
  if (
    isKnown &&
    isNewTopic(state, conversation) &&
    !passesChannelSetting(state, row, "can_create_topic_group")
  )
    return { textKey: "cannot-start-topics", isFinal: true };
  return undefined;
}

/** A new conversation with users whom the user cannot see, to which nothing can be sent. */
export function isUnknown(conversation: ConversationRef): boolean {
  if (!("user_ids" in conversation)) return false;
  subscribe("users", "dms");
  return reasonAgainstDirect(conversation.user_ids, getState())?.textKey === "no-such-conversation";
}

/** Unsubscribed users can post in public channels, and in private ones with shared history. */
function canReachChannel(state: State, channel: KnownChannel): boolean {
  const { row, membership } = channel;
  if (membership === "subscribed" || row.is_web_public) return true;
  const isGuest = roleOf(state) === GUEST;
  if (!row.invite_only) return !isGuest;
  return !isGuest && row.history_public_to_subscribers && canReadChannel(state, channel);
}

/** Only if all topics of the channel are known. */
function isNewTopic({ topics }: State, topicRef: { stream_id: number; topic: string }): boolean {
  const name = foldTopic(topicRef.topic.trim());
  return (
    topics.completeChannels.has(topicRef.stream_id) &&
    topics.byChannel.get(topicRef.stream_id)?.has(name) !== true
  );
}

function reasonAgainstDirect(user_ids: readonly number[], state: State): Reason | undefined {
  const { people, groups, organization, conversations } = state;
  const others = peopleOf(user_ids, people.me);
  if (others.some((id) => people.deactivated.has(id)))
    return { textKey: "direct-off", isFinal: true };
  const hasBegun = conversations.conversations.has(conversationKey(others));
  if (!hasBegun && !others.every((id) => personOf(people, id)))
    return { textKey: "no-such-conversation", isFinal: true };
  if (others.every((id) => personOf(people, id)?.is_bot)) return undefined;
  const setting = organization.fields.realm_direct_message_permission_group;
  if (setting === undefined || groups.groups.size === 0) return undefined;
  const canWrite = (id: number) => isMemberOf(groups, setting, id);
  const isFit =
    (canWrite(people.me) || others.some(canWrite)) &&
    (hasBegun || can(state, "direct_message_initiator_group"));
  return isFit ? undefined : { textKey: "direct-not-allowed", isFinal: true };
}
