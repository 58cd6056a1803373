// Sends messages: now, through the mutation queue; later, as scheduled messages of the server.
import { keyOfConversation } from "../../conversation-keys.ts";
import { go, view } from "../../store/address.ts";
import { dropScheduled, scheduleMessage } from "../../api/message-calls.ts";
import { uniqueName } from "../../api/runtime.ts";
import { ApiError } from "../../contract/api-error.ts";
import { personal, sync } from "../../sync/session.ts";
import { getState } from "../../store/store.ts";
import { showRefusal } from "../../sync/optimistic.ts";
import { showToast } from "../../ui/toast.tsx";
import type { ConversationRef } from "../../views.ts";
import { formatMoment } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { restoreText } from "../drafts/actions.ts";
import { viewOfConversation } from "../lists/selectors.ts";
import type { QueuedMessage } from "../../sync/mutations/queue.ts";
import type { PendingMessage } from "../../sync/mutations/types.ts";
import { stores, typing } from "./stores-sync.ts";
import { isEchoIn } from "./echo.ts";
import { targetOf, wireConversation } from "../recipient/target-rules.ts";

/** If the server does not respond within this time, the text stays in the composer. */
const SCHEDULE_MS = 8_000;

/** Queues the message and clears the composer. Returns undefined if the text must stay. */
export function sendNow(conversation: ConversationRef, text: string): QueuedMessage | undefined {
  const open = personal.peek();
  if (!open) return undefined;
  typing.stop();
  const queued = open.mutations.send(targetOf(conversation), text);
  void queued.stored.then(() => {
    // If nothing can be stored and the network is down, the text exists only in this tab.
    const isAtRisk = !open.mutations.isStored && sync.connection.peek().kind !== "live";
    if (isAtRisk) showToast({ text: t("storage-blocked"), isAlert: true });
  });
  return queued;
}

/** Opens the conversation of a message that was sent elsewhere, or shows a link to it. */
export function followSentMessage(conversation: ConversationRef, message: PendingMessage): void {
  const currentView = view.peek();
  if (currentView.kind === "messages" && isEchoIn(message, currentView.terms)) return;
  const target = viewOfConversation(conversation);
  if (getState().settings.settings["web_navigate_to_sent_message"] !== false) return go(target);
  showSentElsewhere(conversation);
}

function showSentElsewhere(conversation: ConversationRef): void {
  const text = t("sent-to", { name: barOf(conversation).title });
  showToast({ text, undo: () => go(viewOfConversation(conversation)), undoLabel: t("show") });
}

/** Sends a draft that waited for its files, while the user is in another view. */
export async function sendOrRestore(
  conversation: ConversationRef,
  text: string,
  sendAt: number | undefined,
): Promise<void> {
  const { drafts } = stores.peek() ?? {};
  if (sendAt === undefined) {
    const queued = sendNow(conversation, text);
    if (!queued) return;
    drafts?.forget(keyOfConversation(conversation), queued.stored);
    return showSentElsewhere(conversation);
  }
  if (await sendLater(conversation, text, sendAt)) drafts?.forget(keyOfConversation(conversation));
}

/** `sendAt` in milliseconds. Returns whether the message was scheduled. */
export async function sendLater(
  conversation: ConversationRef,
  text: string,
  sendAt: number,
): Promise<boolean> {
  const { to, topic } = wireConversation(conversation, getState().people.me);
  const isDirect = "user_ids" in conversation;
  const scheduled = {
    type: isDirect ? "direct" : "channel",
    to: JSON.stringify(isDirect ? to : to[0]),
    ...(!isDirect && { topic }),
    content: text,
    scheduled_delivery_timestamp: Math.floor(sendAt / 1000),
    read_by_sender: true,
  } as const;
  try {
    // A retry with the same key does not schedule the message again if only the response was lost.
    const { scheduled_message_id } = await scheduleMessage(sync, scheduled, {
      headers: { "Idempotency-Key": uniqueName() },
      isRetried: true,
      signal: AbortSignal.timeout(SCHEDULE_MS),
    });
    const undo = async () => {
      await dropScheduled(sync, { scheduled_message_id });
      restoreText(text, conversation);
    };
    showToast({
      text: t("scheduled-for", { time: formatMoment(sendAt / 1000) }),
      undo: () => void undo().catch(showRefusal),
    });
    return true;
  } catch (error) {
    const text = error instanceof ApiError ? error.text : t("schedule-no-response");
    showToast({ text, isAlert: true });
    return false;
  }
}
