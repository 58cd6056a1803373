// The open composer, for other parts of the page.
import { signal } from "@preact/signals";
import type { Place } from "../../views.ts";
import type { RecipientDraft } from "./session-state.ts";

export interface ComposerHandle {
  focus(): void;
  /** Puts a block where the caret is. */
  insert(block: string): void;
  mention(name: string, user_id: number): void;
  attach(files: readonly File[]): void;
  /** Text that comes back, with where it was to go; what is in the box is kept first. */
  bringBack(text: string, place: Place): void;
}

const composer = signal<ComposerHandle | undefined>(undefined);

/** A request to open the composer that came before it was loaded. */
let asked: ((open: ComposerHandle) => void) | undefined;

/** At once, or when the composer has come. */
export function withComposer(act: (open: ComposerHandle) => void): void {
  const open = composer.peek();
  if (open) act(open);
  else asked = act;
}

export function opened(open: ComposerHandle): void {
  composer.value = open;
  const act = asked;
  asked = undefined;
  act?.(open);
}

/** Ignored if another composer has opened meanwhile. */
export function closed(left: ComposerHandle): void {
  if (composer.peek() === left) composer.value = undefined;
}

export function placeOfRecipient(recipient: RecipientDraft): Place | undefined {
  if (recipient.kind === "direct") {
    return recipient.user_ids.length === 0 ? undefined : { user_ids: recipient.user_ids };
  }
  const { stream_id, topic } = recipient;
  return stream_id === undefined ? undefined : { stream_id, topic: topic.trim() };
}
