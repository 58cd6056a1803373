// The texts that the user's edits gave to messages, and which of these edits are still valid.
import type { MessageChange } from "./reconcile.ts";
import type { PendingChange } from "./types.ts";

const TEXTS_MAX = 20;

/** Contents that this page and earlier ones have given to messages. */
export class PendingEdits {
  private readonly textsById = new Map<number, readonly string[]>();

  /** The change with the texts that came before it. */
  recordIn(change: MessageChange): MessageChange {
    const { message_id, content, over = [] } = change;
    if (content === undefined) return change;
    const before = [...(this.textsById.get(message_id) ?? []), ...over];
    this.textsById.set(message_id, [...before, content].slice(-TEXTS_MAX));
    return { ...change, over: before };
  }
}

interface PendingEdit {
  readonly change?: MessageChange;
  readonly order: number;
  readonly state: string;
}

/** Whether a later edit replaces this one. A page that was closed may have stored both. */
export function isSuperseded({ change, order }: PendingEdit, all: readonly PendingEdit[]): boolean {
  if (change?.content === undefined) return false;
  const isOver = (pendingEdit: PendingEdit) =>
    pendingEdit.state === "waiting" &&
    pendingEdit.order > order &&
    pendingEdit.change?.content !== undefined &&
    pendingEdit.change.message_id === change.message_id;
  return all.some(isOver);
}

/** Waiting and rejected edits of the message. */
export const ofMessage = (message_id: number, all: readonly PendingChange[]): PendingChange[] =>
  all.filter(({ change }) => change?.message_id === message_id && change.content !== undefined);

/**
 * Whether the message of the edit is being deleted. The server may have deleted it already, even if
 * no attempt is recorded: a closing page sends the deletion, and its write to the database can be
 * lost.
 */
export const isDeleted = ({ change }: PendingChange, all: readonly PendingChange[]): boolean =>
  all.some(
    (pendingChange) =>
      pendingChange.method === "DELETE" && pendingChange.change?.message_id === change?.message_id,
  );
