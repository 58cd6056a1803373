// Why a message cannot be sent there, as far as a client can tell before the server says so.
import type { State } from "../../state.ts";
import type { Place } from "../../views.ts";
import type { Word } from "../../words/words.ts";
import { isIn } from "../groups/may.ts";
import { topicsPolicy } from "./topics-policy.ts";

export interface Reason {
  readonly word: Word;
  /** Nothing that one writes changes it. */
  readonly isFinal: boolean;
}

export function reasonAgainst(place: Place, state: State): Reason | undefined {
  if ("user_ids" in place) return undefined;
  const known = state.channels.channels.get(place.stream_id);
  if (!known) return { word: "no-channel", isFinal: true };
  const { row } = known;
  if (row.is_archived) return { word: "channel-archived", isFinal: true };
  const { me } = state.people;
  const isKnown = row.can_send_message_group !== undefined && state.groups.groups.size > 0;
  if (isKnown && !isIn(state.groups, row.can_send_message_group, me))
    return { word: "may-not-post", isFinal: true };
  const policy = topicsPolicy(row, state.organization.fields);
  const hasTopic = place.topic.trim() !== "";
  if (policy === "disable_empty_topic" && !hasTopic)
    return { word: "topic-needed", isFinal: false };
  if (policy === "empty_topic_only" && hasTopic) return { word: "no-topics-here", isFinal: false };
  return undefined;
}
