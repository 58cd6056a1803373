// Waiting pushes: a queue per subscription, with one job while it is not empty.
import type { Reader, Writer } from "../../../realm.ts";
import type { PushedMessage, WaitingPush } from "../../../schema/records-people.ts";
import { PUSHED_KEPT_MAX, PUSHES_WAITING_MAX } from "./rules.ts";

export const PUSH = "push";

/** `attempts`: number of consecutive failures to reach the endpoint. */
export interface PushJob {
  push_id: number;
  attempts: number;
}

/** Oldest first. */
export function waitingFor(reader: Reader, push_id: number, limit: number): WaitingPush[] {
  return [...reader.waiting_pushes.range({ from: [push_id], to: [push_id + 1], limit })];
}

export function enqueuePush(tx: Writer, row: WaitingPush): void {
  const { push_id } = row;
  const queued = waitingFor(tx, push_id, PUSHES_WAITING_MAX);
  if (queued.length === PUSHES_WAITING_MAX) drop(tx, queued[0]!);
  tx.waiting_pushes.put(row);
  if (queued.length === 0) continuePushing(tx, push_id);
}

export function continuePushing(tx: Writer, push_id: number): void {
  tx.enqueue(PUSH, tx.now * 1000, { push_id, attempts: 0 } satisfies PushJob);
}

export function drop(tx: Writer, { push_id, message_id }: WaitingPush): void {
  tx.waiting_pushes.delete(push_id, message_id);
}

/** Oldest first. */
export function pushedTo(reader: Reader, push_id: number): PushedMessage[] {
  return [...reader.pushed_messages.range({ from: [push_id], to: [push_id + 1] })];
}

/** Records a displayed notification so that it can be withdrawn. */
export function rememberPushed(tx: Writer, row: PushedMessage): void {
  const { push_id } = row;
  const pushedMessages = pushedTo(tx, push_id);
  for (const message of pushedMessages.slice(
    0,
    Math.max(0, pushedMessages.length - PUSHED_KEPT_MAX + 1),
  )) {
    tx.pushed_messages.delete(push_id, message.message_id);
  }
  tx.pushed_messages.put(row);
}

/** Must be called when a user has read messages: the given ones, or all if none are given. */
export function withdrawFrom(tx: Writer, user_id: number, ids?: readonly number[]): void {
  if (tx.push_subscriptions.countBy("user", user_id) === 0) return;
  const pushed = tx.pushed_messages.listBy("user", user_id);
  const read = pushed.length > 0 && ids ? new Set(ids) : undefined;
  for (const row of pushed) if (!read || read.has(row.message_id)) enqueueRemoval(tx, row);
}

/** Must be called when a message is deleted. */
export function withdrawFromAll(tx: Writer, message_id: number): void {
  if (tx.push_subscriptions.count() === 0) return;
  for (const row of tx.pushed_messages.listBy("message", message_id)) enqueueRemoval(tx, row);
}

/** If pushes must display something, the removal is sent with the next push. */
function enqueueRemoval(tx: Writer, { push_id, message_id }: PushedMessage): void {
  if (!tx.push_subscriptions.get(push_id)?.with_removals) return;
  tx.pushed_messages.delete(push_id, message_id);
  enqueuePush(tx, { push_id, message_id, is_removal: true });
}
