// State of the composer: the target, and the selected message.
import { signal } from "@preact/signals";
import type { ConversationRef } from "../../views.ts";

export type TopicTarget = Extract<ConversationRef, { topic: string }>;

/** The topic that was last renamed or moved as a whole, and its new place. */
export const movedTopic = signal<{ from: TopicTarget; to: TopicTarget } | undefined>(undefined);

/** The target of a message that was started outside of its conversation. */
export type RecipientDraft =
  | { kind: "channel"; stream_id: number | undefined; topic: string; isNew: boolean }
  | { kind: "direct"; user_ids: number[]; isNew: boolean };

/** undefined: the open conversation, or that of the selected message. */
export const recipientDraft = signal<RecipientDraft | undefined>(undefined);

/** The message that has the focus, or had it last in this view. */
export const selected = signal<number | undefined>(undefined);

/**
 * The message whose conversation is the target from the first typed character on, even if the user
 * scrolls away.
 */
export const repliedTo = signal<number | undefined>(undefined);
