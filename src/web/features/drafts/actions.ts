// Deletes drafts, scheduled messages and reminders, and restores texts.
import { MINUTE_MS } from "../../../contract/units.ts";
import { dropDraft, dropReminder, dropScheduled } from "../../api/message-calls.ts";
import { keyOfConversation } from "../../conversation-keys.ts";
import { runCommand } from "../../ui/keys/commands.ts";
import { getState, invalidate } from "../../store/store.ts";
import { deleteWithUndo, optimistic } from "../../sync/optimistic.ts";
import type { LocalEvent } from "../../contract/snapshot.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { go } from "../../store/address.ts";
import type { ConversationRef } from "../../views.ts";
import { openComposer, withComposer } from "../compose/handle-state.ts";
import { stores } from "../compose/stores-sync.ts";
import { viewOfConversation } from "../lists/selectors.ts";
import type { StoredDraft } from "./local-sync.ts";
import { conversationOfScheduled } from "./scheduled-selectors.ts";

export function deleteDraft(draft_id: number): void {
  const draft = getState().personal.drafts.get(draft_id);
  if (!draft) return;
  const removeEvent: LocalEvent = { type: "drafts", op: "remove", draft_id };
  const addEvent: LocalEvent = { type: "drafts", op: "add", drafts: [draft] };
  const undoable = { text: t("draft-deleted"), ms: UNDO_MS };
  void deleteWithUndo(dropDraft.toRequest({ draft_id }), [removeEvent], [addEvent], undoable);
}

/** Deletes a draft that only this browser has. */
export function deleteLocal({ place, to, text }: StoredDraft): void {
  const drafts = stores.peek()?.drafts;
  drafts?.forget(place);
  invalidate(["drafts"]);
  const undo = () => {
    drafts?.change(place, to, text);
    invalidate(["drafts"]);
  };
  showToast({ text: t("draft-deleted"), undo });
}

/** Opens the draft in the composer of its view. Without a target, the user chooses one. */
export function continueDraft(draft: StoredDraft): void {
  if (!draft.to) return void runCommand("new-message");
  stores.peek()?.drafts.choose(keyOfConversation(draft.to), draft);
  // The next key presses would otherwise run shortcuts.
  withComposer((open) => open.focus());
}

/** Opens a text that was taken back in its composer. Another text there becomes a draft. */
export function restoreText(text: string, conversation: ConversationRef): void {
  const drafts = stores.peek()?.drafts;
  const key = keyOfConversation(conversation);
  const before = drafts?.of(key)?.text ?? "";
  drafts?.move(undefined, key, conversation, text);
  void drafts?.flush();
  const open = openComposer();
  if (open) open.showDraft(conversation);
  else {
    go(viewOfConversation(conversation));
    withComposer((composer) => composer.focus());
  }
  if (before.trim() === "" || before === text) return;
  const showDrafts = () => go({ kind: "drafts" });
  showToast({ text: t("text-replaced"), undoLabel: t("drafts"), undo: showDrafts });
}

export function deleteScheduled(scheduled_message_id: number): void {
  const scheduledMessage = getState().personal.scheduled.get(scheduled_message_id);
  if (!scheduledMessage) return;
  const removeEvent: LocalEvent = {
    type: "scheduled_messages",
    op: "remove",
    scheduled_message_id,
  };
  const addEvent: LocalEvent = {
    type: "scheduled_messages",
    op: "add",
    scheduled_messages: [scheduledMessage],
  };
  const request = dropScheduled.toRequest({ scheduled_message_id });
  const text = t("scheduled-deleted");
  if (canWait(scheduledMessage))
    return void deleteWithUndo(request, [removeEvent], [addEvent], { text, ms: UNDO_MS });
  void optimistic(request, [removeEvent], [addEvent]);
  const conversation = conversationOfScheduled(scheduledMessage, getState().people.me);
  const undo = () => restoreText(scheduledMessage.content, conversation);
  showToast({ text, undo });
}

export function deleteReminder(reminder_id: number): void {
  const reminder = getState().personal.reminders.get(reminder_id);
  if (!reminder) return;
  const removeEvent: LocalEvent = { type: "reminders", op: "remove", reminder_id };
  const addEvent: LocalEvent = { type: "reminders", op: "add", reminders: [reminder] };
  const request = dropReminder.toRequest({ reminder_id });
  const text = t("reminder-deleted");
  if (canWait(reminder))
    return void deleteWithUndo(request, [removeEvent], [addEvent], { text, ms: UNDO_MS });
  void optimistic(request, [removeEvent], [addEvent]);
  showToast({ text });
}

/** Time in which a deletion can be undone. */
const UNDO_MS = 10_000;

/** Whether the deletion can wait for an undo without the server sending the message meanwhile. */
const canWait = (due: { scheduled_delivery_timestamp: number; failed: boolean }) =>
  due.failed || due.scheduled_delivery_timestamp * 1000 > Date.now() + MINUTE_MS;
