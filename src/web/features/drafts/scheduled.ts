// Actions of a scheduled message: send now, reschedule, edit.
import { go } from "../../store/address.ts";
import { changeScheduled, dropScheduled } from "../../api/message-calls.ts";
import { sync } from "../../sync/session.ts";
import { getState } from "../../store/store.ts";
import { openPersonalStore, showRefusal } from "../../sync/optimistic.ts";
import { showToast } from "../../ui/toast.tsx";
import type { ConversationRef } from "../../views.ts";
import { formatMoment } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { viewOfConversation } from "../lists/selectors.ts";
import { targetOf } from "../recipient/target-rules.ts";
import { restoreText } from "./actions.ts";
import { conversationOfScheduled } from "./scheduled-selectors.ts";

interface ScheduledText {
  conversation: ConversationRef;
  content: string;
}

function findScheduled(id: number): ScheduledText | undefined {
  const { personal, people } = getState();
  const scheduledMessage = personal.scheduled.get(id);
  if (!scheduledMessage) return undefined;
  const conversation = conversationOfScheduled(scheduledMessage, people.me);
  return { conversation, content: scheduledMessage.content };
}

/** `deliverAt` in milliseconds. */
export async function reschedule(scheduled_message_id: number, deliverAt: number): Promise<void> {
  const scheduled_delivery_timestamp = Math.floor(deliverAt / 1000);
  try {
    await changeScheduled(sync, { scheduled_message_id, scheduled_delivery_timestamp });
    showToast({ text: t("scheduled-for", { time: formatMoment(deliverAt / 1000) }) });
  } catch (error) {
    showRefusal(error);
  }
}

/** Cancels it first, so that it is sent once; from then on it waits in the mutation queue. */
export async function sendScheduled(id: number): Promise<void> {
  const { mutations } = openPersonalStore();
  const scheduledText = await cancelScheduled(id);
  if (!scheduledText) return;
  await mutations.send(targetOf(scheduledText.conversation), scheduledText.content).stored;
  go(viewOfConversation(scheduledText.conversation));
}

/** Moves its text into the composer of its target. */
export async function editScheduled(id: number): Promise<void> {
  const scheduledText = await cancelScheduled(id);
  if (!scheduledText) return;
  go(viewOfConversation(scheduledText.conversation));
  restoreText(scheduledText.content, scheduledText.conversation);
}

async function cancelScheduled(scheduled_message_id: number): Promise<ScheduledText | undefined> {
  const scheduledText = findScheduled(scheduled_message_id);
  if (!scheduledText) return undefined;
  try {
    await dropScheduled(sync, { scheduled_message_id });
    return scheduledText;
  } catch (error) {
    showRefusal(error);
    return undefined;
  }
}
