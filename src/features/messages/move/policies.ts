// Moves users' topic settings (muted, unmuted, followed) along with a topic.
import { FOLLOWED, INHERITED, MUTED, UNMUTED } from "../../../contract/policies.ts";
import type { Writer } from "../../../realm.ts";
import type { UnfinishedMove } from "../../../schema/records-messages.ts";
import { canReadChannel, isActiveOrSuspended } from "../../channels/access.ts";
import { setTopicPolicy } from "../../topics/actions.ts";
import { followAfterSend } from "../send/follow.ts";

/** Weakest first. */
const STRENGTH: readonly number[] = [MUTED, INHERITED, UNMUTED, FOLLOWED];

/** Must be called after the first messages were moved. */
export function movePolicies(tx: Writer, move: UnfinishedMove): void {
  if (!move.is_whole) return followAsStarter(tx, move);
  const { prev_stream, prev_topic, stream_id, topic, was_empty } = move;
  const [old_folded, folded] = [prev_topic.toLowerCase(), topic.toLowerCase()];
  if (prev_stream === stream_id && old_folded === folded) return;

  const candidates = [
    ...tx.user_topics.listBy("topic", prev_stream, old_folded),
    ...tx.user_topics.listBy("topic", stream_id, folded),
  ];
  const people = new Set(candidates.map((row) => row.user_id));
  const channel = tx.channels.get(stream_id)!;
  for (const user_id of [...people].sort((a, b) => a - b)) {
    const user = tx.users.get(user_id)!;
    const oldPolicy = tx.user_topics.get(user_id, prev_stream, old_folded)?.visibility_policy;
    const policyAtDestination = tx.user_topics.get(user_id, stream_id, folded)?.visibility_policy;
    setTopicPolicy(tx, user, { stream_id: prev_stream }, prev_topic, INHERITED);
    // A deactivated user may get access again after reactivation.
    if (!isActiveOrSuspended(tx, user_id, stream_id) && !canReadChannel(tx, user, channel))
      continue;
    const policy = was_empty ? (oldPolicy ?? INHERITED) : strongest(oldPolicy, policyAtDestination);
    setTopicPolicy(tx, user, channel, topic, policy);
  }
}

const strongest = (...policies: (number | undefined)[]) =>
  STRENGTH[Math.max(...policies.map((policy) => STRENGTH.indexOf(policy ?? INHERITED)))]!;

/** Treats the sender of the message as having started the topic if it is now the first message. */
function followAsStarter(tx: Writer, move: UnfinishedMove): void {
  const topic = tx.topics.get(move.to_topic_id);
  if (!move.was_empty || topic?.first_id !== move.message_id) return;
  const sender = tx.users.get(tx.messages.get(move.message_id)!.sender_id)!;
  const channel = tx.channels.get(move.stream_id)!;
  if (!canReadChannel(tx, sender, channel)) return;
  followAfterSend(tx, sender, channel, move.topic, undefined);
}
