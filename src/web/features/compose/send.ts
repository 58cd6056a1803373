// Sends messages: now, through the mutation queue; later, as scheduled messages of the server.
import { go, view } from "../../store/address.ts";
import { dropScheduled, scheduleMessage } from "../../api/message-calls.ts";
import { Refused } from "../../contract/api-error.ts";
import { personal, sync } from "../../sync/session.ts";
import { now } from "../../store/store.ts";
import { showToast } from "../../ui/toast.tsx";
import type { ConversationRef } from "../../views.ts";
import { formatMoment } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { viewOfPlace } from "../lists/selectors.ts";
import type { QueuedMessage } from "../../sync/mutations/queue.ts";
import type { PendingMessage } from "../../sync/mutations/types.ts";
import { stores, typing } from "./stores-sync.ts";
import { isEchoIn } from "./echo.ts";
import { placeKey, targetOf, wirePlace } from "../recipient/target-rules.ts";

/** Queues the message and clears the composer. Returns undefined if the text must stay. */
export function sendNow(place: ConversationRef, text: string): QueuedMessage | undefined {
  const open = personal.peek();
  if (!open) return undefined;
  typing.stop();
  const sent = open.mutations.send(targetOf(place), text);
  void sent.stored.then(() => {
    // If nothing can be stored and the network is down, the text exists only in this tab.
    const isAtRisk = !open.mutations.isStored && sync.standing.peek().kind !== "live";
    if (isAtRisk) showToast({ words: t("not-kept"), isAlert: true });
  });
  return sent;
}

/** Opens the conversation of a message that was sent elsewhere, or shows a link to it. */
export function follow(place: ConversationRef, message: PendingMessage): void {
  const shown = view.peek();
  if (shown.kind === "messages" && isEchoIn(message, shown.terms)) return;
  const there = viewOfPlace(place);
  if (now().settings.settings["web_navigate_to_sent_message"] !== false) return go(there);
  tellWhere(place);
}

function tellWhere(place: ConversationRef): void {
  const words = t("sent-to", { name: barOf(place).title });
  showToast({ words, undo: () => go(viewOfPlace(place)), undoWords: t("show") });
}

/** Sends a draft that waited for its files, while the user is in another view. */
export async function sendHeld(
  place: ConversationRef,
  text: string,
  at: number | undefined,
): Promise<void> {
  const { drafts } = stores.peek() ?? {};
  if (at === undefined) {
    const sent = sendNow(place, text);
    if (!sent) return;
    drafts?.forget(placeKey(place), sent.stored);
    return tellWhere(place);
  }
  const back = () => drafts?.change(placeKey(place), place, text);
  if (await sendLater(place, text, at, back)) drafts?.forget(placeKey(place));
}

/** `at` in milliseconds. `undo` restores the text. */
export async function sendLater(
  place: ConversationRef,
  text: string,
  at: number,
  undo: () => void,
): Promise<boolean> {
  const { to, topic } = wirePlace(place, now().people.me);
  const isDirect = "user_ids" in place;
  try {
    const { scheduled_message_id } = await scheduleMessage(sync, {
      type: isDirect ? "direct" : "channel",
      to: JSON.stringify(isDirect ? to : to[0]),
      ...(!isDirect && { topic }),
      content: text,
      scheduled_delivery_timestamp: Math.floor(at / 1000),
      read_by_sender: true,
    });
    const takeBack = async () => {
      await dropScheduled(sync, { scheduled_message_id });
      undo();
    };
    showToast({
      words: t("scheduled-for", { time: formatMoment(at / 1000) }),
      undo: () => void takeBack().catch(() => undefined),
    });
    return true;
  } catch (error) {
    const words = error instanceof Refused ? error.words : t("not-scheduled");
    showToast({ words, isAlert: true });
    return false;
  }
}
