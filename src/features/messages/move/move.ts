// Moves messages to another topic or channel, in one or several transactions.
import type { Realm, Writer } from "../../../realm.ts";
import type { Message, UnfinishedMove } from "../../../schema/records-messages.ts";
import type { DueJob, User } from "../../../schema/records.ts";
import { channelChanged } from "../../channels/wire.ts";
import type { ContentChange } from "../edit/content.ts";
import type { PropagateMode } from "../edit/events.ts";
import { countIn, endsOf, topicSlice, type TopicSlice } from "../sets/topic-slice.ts";
import { subjectOf } from "../spelling-wire.ts";
import type { Destination } from "./can-move.ts";
import { postMoveNotices } from "./notices.ts";
import { movePolicies } from "./policies.ts";
import { renameTopic } from "./rename.ts";
import { MOVED_AT_ONCE_MAX, moveStep } from "./step.ts";

export interface MoveOptions {
  propagate_mode: PropagateMode;
  notify_old: boolean;
  notify_new: boolean;
}

/** The job that continues moves after a stop or crash. */
export const RESUME_MOVE = "resume move";
const RESUME_AFTER_MS = 10_000;

/**
 * Starts a move that was checked. Returns its number if it needs more transactions; `finishMove` or
 * the job then continues it.
 */
export function beginMove(
  tx: Writer,
  user: User,
  message: Message,
  destination: Destination & { name: string },
  slice: TopicSlice,
  { propagate_mode, notify_old, notify_new }: MoveOptions,
  content: ContentChange | undefined,
): number | undefined {
  const from = tx.topics.get(message.topic_id)!;
  const { topic: to, isResolve } = destination;
  const total = countIn(slice);
  const ends = endsOf(slice);
  const move: UnfinishedMove = {
    move_id: 0,
    user_id: user.user_id,
    message_id: message.id,
    propagate_mode,
    timestamp: tx.now,
    from_topic_id: from.topic_id,
    to_topic_id: to?.topic_id ?? 0,
    prev_stream: destination.from.stream_id,
    prev_topic: subjectOf(tx, message, from),
    stream_id: destination.to.stream_id,
    topic: destination.name,
    is_toggle: isResolve,
    is_whole: propagate_mode === "change_all" || isWholeTopic(tx, user, message, total),
    was_empty: to === undefined,
    notify_old,
    notify_new,
    after_id: ends.first - 1,
    last_id: ends.last,
    first_moved_id: 0,
    moved: 0,
    job_at: 0,
    job_id: 0,
  };
  const isRename =
    destination.from === destination.to &&
    total === from.count &&
    (!to || to.topic_id === from.topic_id);
  if (isRename) {
    renameTopic(tx, move, content, () => movePolicies(tx, move));
    postMoveNotices(tx, move);
    return undefined;
  }
  return runFirstStep(tx, move, total, content);
}

/** Moves the rest, one batch per transaction. */
export function finishMove(realm: Realm, move_id: number): Promise<void> {
  return realm.inSteps((tx) => !moveNextStep(tx, move_id));
}

/** The job: continues after a stop or crash. */
export function resumeMove(realm: Realm, { payload }: DueJob): Promise<void> {
  return finishMove(realm, (payload as { move_id: number }).move_id);
}

/** Returns whether the move is complete. A missing record means that another run completed it. */
function moveNextStep(tx: Writer, move_id: number): boolean {
  const move = tx.unfinished_moves.get(move_id);
  if (!move) return true;
  if (moveStep(tx, move)) {
    tx.unfinished_moves.put(move);
    return false;
  }
  tx.unfinished_moves.delete(move_id);
  tx.due.delete(move.job_at, move.job_id);
  finish(tx, move);
  return true;
}

function runFirstStep(
  tx: Writer,
  move: UnfinishedMove,
  total: number,
  content: ContentChange | undefined,
): number | undefined {
  const isOneStep = total <= MOVED_AT_ONCE_MAX;
  moveStep(tx, move, { isOneStep, content, beforeEvents: () => movePolicies(tx, move) });
  if (isOneStep) {
    finish(tx, move);
    return undefined;
  }
  move.move_id = tx.next("moves");
  move.job_at = move.timestamp * 1000 + RESUME_AFTER_MS;
  move.job_id = tx.enqueue(RESUME_MOVE, move.job_at, { move_id: move.move_id });
  tx.unfinished_moves.put(move);
  return move.move_id;
}

function finish(tx: Writer, move: UnfinishedMove): void {
  postMoveNotices(tx, move);
  const channel = tx.channels.get(move.stream_id)!;
  if (channel.is_recently_active) return;
  const { stream_id } = channel;
  tx.channels.put({ ...channel, is_recently_active: true });
  tx.emit(channelChanged(channel, "is_recently_active", true), { to: "viewers", stream_id });
}

/** Whether no message that the user may read is left in the topic. */
function isWholeTopic(tx: Writer, user: User, { topic_id }: Message, movedCount: number): boolean {
  const topic = tx.topics.get(topic_id)!;
  const all = topicSlice(tx, topic, { from: topic.first_id, to: topic.last_id }, user);
  return countIn(all) <= movedCount;
}
