// Why a message cannot be sent to a target, as far as the client can tell.
import type { State } from "../../store/state.ts";
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
  readonly word: TextKey;
  /** Cannot be resolved by editing, or only the server can tell. */
  readonly isFinal: boolean;
}

const GUEST = 600;

export function reasonAgainst(conversation: ConversationRef, state: State): Reason | undefined {
  if ("user_ids" in conversation) return whyNotTo(conversation.user_ids, state);
  const channel = state.channels.channels.get(conversation.stream_id);
  if (!channel) return { word: "no-such-channel", isFinal: true };
  const { row } = channel;
  if (row.is_archived) return { word: "channel-archived", isFinal: true };
  const { me } = state.people;
  const isKnown = row.can_send_message_group !== undefined && state.groups.groups.size > 0;
  if (isKnown && !isMemberOf(state.groups, row.can_send_message_group, me))
    return { word: "may-not-post", isFinal: true };
  if (!reaches(state, channel)) {
    return { word: canJoin(state, channel) ? "join-to-post" : "may-not-post", isFinal: true };
  }
  const policy = topicsPolicy(row, state.organization.fields);
  const hasTopic = conversation.topic.trim() !== "";
  if (policy === "disable_empty_topic" && !hasTopic)
    return { word: "topic-needed", isFinal: false };
  if (policy === "empty_topic_only" && hasTopic) return { word: "no-topics-here", isFinal: false };
  if (
    isKnown &&
    isNewTopic(state, conversation) &&
    !passesChannelSetting(state, row, "can_create_topic_group")
  )
    return { word: "may-not-begin-topic", isFinal: true };
  return undefined;
}

/** Unsubscribed users can post in public channels, and in private ones with shared history. */
function reaches(state: State, channel: KnownChannel): boolean {
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
    topics.whole.has(topicRef.stream_id) && topics.known.get(topicRef.stream_id)?.has(name) !== true
  );
}

function whyNotTo(user_ids: readonly number[], state: State): Reason | undefined {
  const { people, groups, organization, conversations } = state;
  const others = peopleOf(user_ids, people.me);
  if (others.some((id) => people.deactivated.has(id))) return { word: "direct-off", isFinal: true };
  const hasBegun = conversations.conversations.has(conversationKey(others));
  if (!hasBegun && !others.every((id) => personOf(people, id)))
    return { word: "no-such-conversation", isFinal: true };
  if (others.every((id) => personOf(people, id)?.is_bot)) return undefined;
  const setting = organization.fields.realm_direct_message_permission_group;
  if (setting === undefined || groups.groups.size === 0) return undefined;
  const canWrite = (id: number) => isMemberOf(groups, setting, id);
  const isFit =
    (canWrite(people.me) || others.some(canWrite)) &&
    (hasBegun || can(state, "direct_message_initiator_group"));
  return isFit ? undefined : { word: "direct-not-allowed", isFinal: true };
}
