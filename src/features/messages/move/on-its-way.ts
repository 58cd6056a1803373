// Topics on their way: what moves or deletes one in steps is done before the next act on it begins.
import { perRealm, type Reader, type Realm } from "../../../realm.ts";
import type { Message, UnfinishedMove } from "../../../schema/records-messages.ts";
import type { Topic } from "../../../schema/records.ts";
import { finishMove } from "./move.ts";

/** By topic: resolves when a deletion that goes through it has gone as far as it goes. */
export type Deletions = Map<number, Promise<void>>;

export const deletionsOf = perRealm((): Deletions => new Map());

/** Thrown in a transaction, which leaves nothing: it is to be tried again after this. */
class OnItsWay extends Error {
  constructor(readonly toItsEnd: (realm: Realm) => Promise<void>) {
    super("a topic is on its way");
  }
}

/** For what takes whole topics, or adds to one: none of them may be met halfway. */
export function checkAtRest(
  reader: Reader,
  deletions: Deletions | undefined,
  ...topics: readonly (Topic | undefined)[]
): void {
  const ids = topics.flatMap((topic) => topic?.topic_id ?? []);
  for (const { move_id, from_topic_id, to_topic_id } of reader.unfinished_moves.range()) {
    const isMoving = ids.includes(from_topic_id) || ids.includes(to_topic_id);
    if (isMoving) throw new OnItsWay((realm) => finishMove(realm, move_id));
  }
  for (const id of ids) {
    const ended = deletions?.get(id);
    if (ended) throw new OnItsWay(() => ended);
  }
}

/** For what changes one message where it is: only one that is still to be moved has to wait. */
export function checkNotMoving(reader: Reader, message: Message): void {
  for (const move of reader.unfinished_moves.range()) {
    const { move_id } = move;
    if (isStillToMove(move, message)) throw new OnItsWay((realm) => finishMove(realm, move_id));
  }
}

const isStillToMove = (
  { from_topic_id, after_id, last_id }: UnfinishedMove,
  { id, topic_id }: Message,
) => topic_id === from_topic_id && id > after_id && id <= last_id;

/** Brings what is in the way to its end first, also a move that a crash has left unfinished. */
export async function atRest<T>(realm: Realm, act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof OnItsWay)) throw error;
      await error.toItsEnd(realm);
    }
  }
}
