// What is on its way, for who shows it: its script comes with what the disk has of it.
import { effect } from "@preact/signals";
import type { FeedView } from "../../feed/view.ts";
import { desk } from "../../here.ts";
import { untilThere } from "../../scripts.ts";
import { learn } from "../../words/words.ts";
import type { Message, Sending } from "../messages/state.ts";

let echo: typeof import("./echo.ts") | undefined;

effect(() => {
  if (desk.value) void load();
});

/** With the words for what does not go out, if they can be had. */
async function load(): Promise<void> {
  const words = learn().catch(() => undefined);
  [echo] = await Promise.all([untilThere(() => import("./echo.ts")), words]);
  echo.start();
}

/** Of a view: what would stand in it if the server had it. */
export const echoesIn = (view: FeedView): Message[] => echo?.echoesIn(view) ?? [];

/** What becomes of a change of a message that the server has not taken. */
export const pendingOf = (message_id: number): Sending | undefined => echo?.pendingOf(message_id);

export const showSending = (row: HTMLElement, sending: Sending | undefined): void =>
  echo?.sayIn(row, sending);
