// Lazily loads unconfirmed messages with their script.
import { effect } from "@preact/signals";
import type { FeedView } from "../../feed/segments.ts";
import { personal } from "../../sync/session.ts";
import { importOrReload } from "../../scripts.ts";
import { loadTexts } from "../../words/words.ts";
import type { Message, Sending } from "../../contract/message.ts";

let echo: typeof import("./echo.ts") | undefined;

effect(() => {
  if (personal.value) void loadEcho();
});

/** Loads it with the texts for unsent messages, if these are available. */
async function loadEcho(): Promise<void> {
  const words = loadTexts().catch(() => undefined);
  [echo] = await Promise.all([importOrReload(() => import("./echo.ts")), words]);
  echo.start();
}

/** Unconfirmed messages that belong in the view. */
export const echoesIn = (view: FeedView): Message[] => echo?.echoesIn(view) ?? [];

/** State of an unconfirmed edit of a message. */
export const pendingOf = (message_id: number): Sending | undefined => echo?.pendingOf(message_id);

export const showSending = (row: HTMLElement, sending: Sending | undefined): void =>
  echo?.showSendingInRow(row, sending);
