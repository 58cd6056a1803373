// Topics with an unfinished move or deletion, which is completed before the next action on them
// starts.
import { perRealm, type Reader, type Realm } from "../../../realm.ts";
import type { Message, UnfinishedMove } from "../../../schema/records-messages.ts";
import type { Topic } from "../../../schema/records.ts";
import { finishMove } from "./move.ts";

/** Keyed by topic; resolves when the running deletion ends. */
export type Deletions = Map<number, Promise<void>>;

export const deletionsOf = perRealm((): Deletions => new Map());

/** Thrown in a transaction, which is rolled back and retried after the unfinished work. */
class UnfinishedMoveError extends Error {
  constructor(readonly toItsEnd: (realm: Realm) => Promise<void>) {
    super("a topic is being moved");
  }
}

/**
 * Throws if a move of the topics is pending: actions on whole topics and new messages must not see
 * a partial move.
 */
export function checkNoPendingMove(
  reader: Reader,
  deletions: Deletions | undefined,
  ...topics: readonly (Topic | undefined)[]
): void {
  const ids = topics.flatMap((topic) => topic?.topic_id ?? []);
  for (const { move_id, from_topic_id, to_topic_id } of reader.unfinished_moves.range()) {
    const isMoving = ids.includes(from_topic_id) || ids.includes(to_topic_id);
    if (isMoving) throw new UnfinishedMoveError((realm) => finishMove(realm, move_id));
  }
  for (const id of ids) {
    const deletion = deletions?.get(id);
    if (deletion) throw new UnfinishedMoveError(() => deletion);
  }
}

/**
 * Throws if the message is still to be moved. A change of one message in place has to wait only
 * then.
 */
export function checkNotMoving(reader: Reader, message: Message): void {
  for (const move of reader.unfinished_moves.range()) {
    const { move_id } = move;
    if (isUnmoved(move, message))
      throw new UnfinishedMoveError((realm) => finishMove(realm, move_id));
  }
}

const isUnmoved = (
  { from_topic_id, after_id, last_id }: UnfinishedMove,
  { id, topic_id }: Message,
) => topic_id === from_topic_id && id > after_id && id <= last_id;

/** Completes unfinished work first, including a move that a crash interrupted. */
export async function afterPendingMoves<T>(realm: Realm, action: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof UnfinishedMoveError)) throw error;
      await error.toItsEnd(realm);
    }
  }
}
