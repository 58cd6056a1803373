// Takes back what one has begun or put off; a draft can be had again.
import { addDrafts, dropDraft, dropReminder, dropScheduled } from "../../api/deed-calls.ts";
import { runCommand } from "../../commands.ts";
import { sync } from "../../here.ts";
import { now, touch } from "../../live.ts";
import { optimistic, showRefusal } from "../../optimistic.ts";
import type { Deed } from "../../snapshot.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { shelf } from "../compose/desk.ts";
import { placeKey } from "../target/places.ts";
import type { StoredDraft } from "./stored.ts";

export function deleteDraft(draft_id: number): void {
  const draft = now().personal.drafts.get(draft_id);
  if (!draft) return;
  const gone: Deed = { type: "drafts", op: "remove", draft_id };
  const back: Deed = { type: "drafts", op: "add", drafts: [draft] };
  void optimistic(dropDraft.asked({ draft_id }), [gone], [back]);
  const { id: _id, ...again } = draft;
  showToast({
    words: say("draft-deleted"),
    // Creates it again under a new id.
    undo: () =>
      void addDrafts(sync, { drafts: [{ ...again, to: [...again.to] }] }).catch(showRefusal),
  });
}

/** Deletes a draft that only this browser has. */
export function deleteLocal({ place, to, text }: StoredDraft): void {
  const drafts = shelf.peek()?.drafts;
  drafts?.forget(place);
  touch(new Set(["drafts"]));
  const undo = () => {
    drafts?.change(place, to, text);
    touch(new Set(["drafts"]));
  };
  showToast({ words: say("draft-deleted"), undo });
}

/** Opens the draft in its composer. Without a target, the user chooses one. */
export function goOn(draft: StoredDraft): void {
  if (draft.to) shelf.peek()?.drafts.choose(placeKey(draft.to), draft);
  else runCommand("new-message");
}

export function deleteScheduled(scheduled_message_id: number): void {
  const one = now().personal.scheduled.get(scheduled_message_id);
  if (!one) return;
  const gone: Deed = { type: "scheduled_messages", op: "remove", scheduled_message_id };
  const back: Deed = { type: "scheduled_messages", op: "add", scheduled_messages: [one] };
  void optimistic(dropScheduled.asked({ scheduled_message_id }), [gone], [back]);
  showToast({ words: say("scheduled-deleted") });
}

export function deleteReminder(reminder_id: number): void {
  const one = now().personal.reminders.get(reminder_id);
  if (!one) return;
  const gone: Deed = { type: "reminders", op: "remove", reminder_id };
  const back: Deed = { type: "reminders", op: "add", reminders: [one] };
  void optimistic(dropReminder.asked({ reminder_id }), [gone], [back]);
  showToast({ words: say("reminder-deleted") });
}
