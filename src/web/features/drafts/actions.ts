// Deletes drafts, scheduled messages and reminders, and restores texts.
import {
  addDrafts,
  dropDraft,
  dropReminder,
  dropScheduled,
  scheduleMessage,
} from "../../api/message-calls.ts";
import { keyOfConversation } from "../../conversation-keys.ts";
import { runCommand } from "../../ui/keys/commands.ts";
import { sync } from "../../sync/session.ts";
import { getState, invalidate } from "../../store/store.ts";
import { optimistic, showRefusal } from "../../sync/optimistic.ts";
import type { LocalEvent } from "../../contract/snapshot.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { go } from "../../store/address.ts";
import type { ConversationRef } from "../../views.ts";
import { openComposer, withComposer } from "../compose/handle-state.ts";
import { stores } from "../compose/stores-sync.ts";
import { viewOfConversation } from "../lists/selectors.ts";
import type { StoredDraft } from "./local-sync.ts";

export function deleteDraft(draft_id: number): void {
  const draft = getState().personal.drafts.get(draft_id);
  if (!draft) return;
  const removeEvent: LocalEvent = { type: "drafts", op: "remove", draft_id };
  const addEvent: LocalEvent = { type: "drafts", op: "add", drafts: [draft] };
  void optimistic(dropDraft.toRequest({ draft_id }), [removeEvent], [addEvent]);
  const { id: _id, ...again } = draft;
  showToast({
    text: t("draft-deleted"),
    undo: () =>
      void addDrafts(sync, { drafts: [{ ...again, to: [...again.to] }] }).catch(showRefusal),
  });
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
  // Otherwise the next letters would be shortcuts.
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
  void optimistic(dropScheduled.toRequest({ scheduled_message_id }), [removeEvent], [addEvent]);
  const { type, to, content, scheduled_delivery_timestamp } = scheduledMessage;
  const again = {
    type: type === "stream" ? "channel" : "direct",
    to: JSON.stringify(to),
    ...(type === "stream" && { topic: scheduledMessage.topic }),
    ...{ content, scheduled_delivery_timestamp, read_by_sender: true },
  } as const;
  showToast({
    text: t("scheduled-deleted"),
    ...(isAhead(scheduled_delivery_timestamp) && {
      undo: () => void scheduleMessage(sync, again).catch(showRefusal),
    }),
  });
}

export function deleteReminder(reminder_id: number): void {
  const reminder = getState().personal.reminders.get(reminder_id);
  if (!reminder) return;
  const removeEvent: LocalEvent = { type: "reminders", op: "remove", reminder_id };
  const addEvent: LocalEvent = { type: "reminders", op: "add", reminders: [reminder] };
  void optimistic(dropReminder.toRequest({ reminder_id }), [removeEvent], [addEvent]);
  showToast({ text: t("reminder-deleted") });
}

/** The server accepts no delivery time in the past. */
const isAhead = (seconds: number) => seconds * 1000 > Date.now();
