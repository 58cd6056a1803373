// Actions that are displayed at once, stored until the server has them, and undone if it rejects
// them.
import { effect } from "@preact/signals";
import { fetchMessage } from "./api/calls.ts";
import { Refused } from "./api/http.ts";
import { takeMessages } from "./feed/load.ts";
import { goneWords } from "./features/messages/gone.ts";
import { desk, sync } from "./here.ts";
import { flown } from "./live.ts";
import type { Deed } from "./snapshot.ts";
import type { Desk } from "./sync/desk.ts";
import type { Doing, More, Refusal, Wanted } from "./sync/kept.ts";
import { showToast } from "./ui/toast.tsx";
import { say } from "./words/words.ts";

/** Gives its key, by which it can be taken back as long as the server has not heard of it. */
export async function optimistic(
  wanted: Wanted,
  foretold: readonly Deed[],
  inverse: readonly Deed[],
  more: More = {},
): Promise<string> {
  const { doings } = desk.peek() ?? (await ownDesk());
  return doings.do(wanted, foretold, inverse, more);
}

/** Available shortly after the first state. */
export function ownDesk(): Promise<Desk> {
  return new Promise((resolve) => {
    const stop = desk.subscribe((opened) => {
      if (!opened) return;
      resolve(opened);
      queueMicrotask(() => stop());
    });
  });
}

/** For what could not be done: the server's reason, or that there is no network. */
export function showRefusal(error: unknown): void {
  const words = error instanceof Refused ? wordsOf(error) : say("not-reached");
  showToast({ words, isAlert: true });
}

/** Handlers that show errors in place. Returns whether they did. Otherwise a toast is shown. */
const tellers = new Set<(doing: Doing, words: string) => boolean>();
export const onRefusal = (tell: (doing: Doing, words: string) => boolean) => tellers.add(tell);

effect(() => {
  const refusals = desk.value?.refusals.value ?? [];
  if (refusals.length === 0) return;
  desk.peek()!.refusals.value = [];
  for (const { doing, ...why } of refusals) {
    const [deed] = doing.foretold;
    const reacted = deed?.type === "reaction" ? deed.message_id : undefined;
    const words = wordsOf(why, doing.change?.message_id ?? reacted);
    const isTold = [...tellers].some((tell) => tell(doing, words));
    if (!isTold) showToast({ words, isAlert: true });
    if (doing.change) void showAsItIs(doing.change.message_id);
  }
});

/** The error as a sentence for the user. */
export function wordsOf({ code, words }: Pick<Refusal, "code" | "words">, message_id = 0): string {
  if (code === "EXPECTATION_MISMATCH") return say("edit-conflict");
  // The server says the same of a message that was deleted and of one that is kept from somebody.
  if (words === "Invalid message(s)") return goneWords(message_id);
  return words === "" ? say("moved-meanwhile") : words;
}

/** The message may be another by now than it was before the change. */
export async function showAsItIs(message_id: number): Promise<void> {
  try {
    const asked = { message_id, allow_empty_topic_name: true };
    const [{ message }, came] = await flown(() => fetchMessage(sync, asked));
    takeMessages([message], came);
  } catch {
    // The message is gone or inaccessible, as events report.
  }
}
