// Sends messages when their uploads are complete, in whichever view the user is.
import { signal } from "@preact/signals";
import type { ConversationRef } from "../../views.ts";

interface UploadWait {
  /** In milliseconds, if the message is scheduled. */
  readonly time: number | undefined;
  /** Sends the message, from its draft if its composer is closed. `to`: its moved topic. */
  readonly send: (text: string, to?: ConversationRef) => void;
}

/** Messages that wait for their uploads, by key of the conversation. */
const waits = signal<ReadonlyMap<string, UploadWait>>(new Map());

export const isWaitingForUpload = (key: string): boolean => waits.value.has(key);

export function sendAfterUpload(key: string, wait: UploadWait): void {
  waits.value = new Map(waits.peek()).set(key, wait);
}

/** Returns the message that waited there. */
export function cancelWaiting(draftKey: string): UploadWait | undefined {
  const wait = waits.peek().get(draftKey);
  if (wait) waits.value = new Map([...waits.peek()].filter(([key]) => key !== draftKey));
  return wait;
}
