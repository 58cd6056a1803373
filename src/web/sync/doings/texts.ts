// The texts that a person gave messages, in whatever page: which of them still count.
import type { Change } from "./heard.ts";
import type { Doing } from "../kept.ts";

const TEXTS_MAX = 20;

/** Contents that this page and earlier ones have given to messages. */
export class OwnTexts {
  private readonly of = new Map<number, readonly string[]>();

  /** The change with the texts that came before it. */
  over(change: Change): Change {
    const { message_id, content, over = [] } = change;
    if (content === undefined) return change;
    const before = [...(this.of.get(message_id) ?? []), ...over];
    this.of.set(message_id, [...before, content].slice(-TEXTS_MAX));
    return { ...change, over: before };
  }
}

/** A later text takes the place of an earlier one: a page that went left both of them. */
export function isReplaced({ change, order }: Ordered, all: readonly Ordered[]): boolean {
  if (change?.content === undefined) return false;
  const isOver = (one: Ordered) =>
    one.state === "waiting" &&
    one.order > order &&
    one.change?.content !== undefined &&
    one.change.message_id === change.message_id;
  return all.some(isOver);
}

interface Ordered {
  readonly change?: Change;
  readonly order: number;
  readonly state: string;
}

/** Waiting and rejected edits of the message. */
export const ofMessage = (message_id: number, all: readonly Doing[]): Doing[] =>
  all.filter(({ change }) => change?.message_id === message_id && change.content !== undefined);

/** Its message is being deleted: the server may have heard of it. */
export const isDeleted = ({ change }: Doing, all: readonly Doing[]): boolean =>
  all.some(
    (one) =>
      one.method === "DELETE" && one.was_tried && one.change?.message_id === change?.message_id,
  );
