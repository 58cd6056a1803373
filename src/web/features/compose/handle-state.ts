// The open composer, for other parts of the page.
import { signal } from "@preact/signals";
import type { ConversationRef } from "../../views.ts";
import type { RecipientDraft } from "./session-state.ts";

export interface ComposerHandle {
  focus(): void;
  /** Inserts a block at the caret. */
  insert(block: string): void;
  mention(name: string, user_id: number): void;
  attach(files: readonly File[]): void;
  /** Shows the draft of a conversation; the current text stays in its own draft. */
  showDraft(conversation: ConversationRef): void;
  /** Follows a topic with this key that was moved. Returns whether the text is addressed to it. */
  follow(from: string, to: ConversationRef): boolean;
}

const composer = signal<ComposerHandle | undefined>(undefined);

/** The action that waits until the composer is loaded. */
let pending: ((open: ComposerHandle) => void) | undefined;

export const openComposer = (): ComposerHandle | undefined => composer.peek();

/** Calls `action` at once, or as soon as the composer is loaded. */
export function withComposer(action: (open: ComposerHandle) => void): void {
  const open = composer.peek();
  if (open) action(open);
  else pending = action;
}

export function onComposerOpen(open: ComposerHandle): void {
  composer.value = open;
  const action = pending;
  pending = undefined;
  action?.(open);
}

/** Ignored if another composer has opened meanwhile. */
export function closed(previous: ComposerHandle): void {
  if (composer.peek() === previous) composer.value = undefined;
}

export function conversationOfRecipient(recipient: RecipientDraft): ConversationRef | undefined {
  if (recipient.kind === "direct") {
    return recipient.user_ids.length === 0 ? undefined : { user_ids: recipient.user_ids };
  }
  const { stream_id, topic } = recipient;
  return stream_id === undefined ? undefined : { stream_id, topic: topic.trim() };
}
