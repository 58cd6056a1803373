// Drafts, scheduled messages and reminders as rows of one kind.
import type { State } from "../../store/state.ts";
import type { ConversationRef } from "../../views.ts";
import { peopleOf } from "../../conversation-keys.ts";
import { mergeDrafts, type StoredDraft } from "./local-sync.ts";
import { conversationOfScheduled } from "./scheduled-selectors.ts";
import { withoutLinks } from "../uploads/attached-rules.ts";
import { plainLine } from "../messages/preview-selectors.ts";

export type OwnKind = "drafts" | "scheduled" | "reminders";

export interface OwnRow {
  key: string;
  id: number;
  /** undefined if it has no target yet. */
  conversation: ConversationRef | undefined;
  /** The message of a reminder. */
  message_id?: number;
  line: string;
  /** When it was written or is due, in seconds since 1970. */
  time: number;
  isFailed: boolean;
  /** The stored draft of a row of drafts. */
  draft?: StoredDraft;
}

/** `local`: the drafts of this browser. */
export function ownRows(state: State, kind: OwnKind, local: readonly StoredDraft[]): OwnRow[] {
  if (kind === "drafts") return draftRows(state, local);
  return kind === "scheduled" ? scheduledRows(state) : reminderRows(state);
}

/** Returns a row per draft, newest first. */
function draftRows({ personal, people }: State, local: readonly StoredDraft[]): OwnRow[] {
  // Unshared text that was typed here takes precedence, as the server may have rejected it.
  const ahead = new Map(
    local.flatMap((draft) =>
      draft.text === draft.synced ? [] : [[draft.draft_id, draft] as const],
    ),
  );
  const merged = mergeDrafts(personal.drafts, local);
  const shared = merged.shared.map((draft): OwnRow => {
    const { id, type, to, topic, timestamp } = draft;
    const localDraft = ahead.get(id);
    const text = localDraft?.text ?? draft.content;
    const seconds = localDraft ? changedSecondOf(localDraft) : timestamp;
    const [stream_id] = to;
    const conversation: ConversationRef | undefined =
      type === "private"
        ? { user_ids: peopleOf(to, people.me) }
        : stream_id === undefined
          ? undefined
          : { stream_id, topic };
    const key = `draft ${id}`;
    const changed = seconds * 1000;
    const stored = {
      place: key,
      to: conversation,
      text,
      changed,
      draft_id: id,
      synced: draft.content,
    };
    return {
      key,
      id,
      conversation,
      line: lineOf(text),
      time: seconds,
      isFailed: false,
      draft: stored,
    };
  });
  const localRows = merged.own.map((draft): OwnRow => {
    const { place: key, to: conversation, text } = draft;
    const row = {
      key: `local ${key}`,
      id: 0,
      conversation,
      line: lineOf(text),
      time: changedSecondOf(draft),
    };
    return { ...row, isFailed: false, draft };
  });
  return [...shared, ...localRows].sort((a, b) => b.time - a.time || orderOf(b) - orderOf(a));
}

/**
 * Rounded to seconds like the server's time, so that the order stays the same when the draft is
 * shared.
 */
const changedSecondOf = ({ changed }: StoredDraft) => Math.floor(changed / 1000);

/** Drafts without an id on the server sort after all others. */
const orderOf = ({ id }: OwnRow) => id || Number.MAX_SAFE_INTEGER;

const lineOf = (content: string) => withoutLinks(content).replace(/\s+/gu, " ").trim();

/** Earliest due date first. */
function scheduledRows({ personal, people }: State): OwnRow[] {
  const rows = [...personal.scheduled.values()].map((scheduledMessage): OwnRow => {
    const { scheduled_message_id: id, failed } = scheduledMessage;
    const conversation = conversationOfScheduled(scheduledMessage, people.me);
    const line = plainLine(scheduledMessage.rendered_content);
    const timestamp = scheduledMessage.scheduled_delivery_timestamp;
    return { key: `scheduled ${id}`, id, conversation, line, time: timestamp, isFailed: failed };
  });
  return rows.sort((a, b) => a.time - b.time);
}

function reminderRows({ personal, messages, people }: State): OwnRow[] {
  const rows = [...personal.reminders.values()].map((reminder): OwnRow => {
    const { reminder_id: id, reminder_target_message_id: message_id, failed } = reminder;
    const message = messages.byId.get(message_id);
    const recipient = message?.display_recipient;
    const conversation: ConversationRef | undefined =
      message?.stream_id !== undefined
        ? { stream_id: message.stream_id, topic: message.subject }
        : Array.isArray(recipient)
          ? {
              user_ids: peopleOf(
                recipient.map((person) => person.id),
                people.me,
              ),
            }
          : undefined;
    const line =
      plainLine(reminder.rendered_content) || (message ? plainLine(message.content) : "");
    const timestamp = reminder.scheduled_delivery_timestamp;
    return {
      key: `reminder ${id}`,
      id,
      conversation,
      message_id,
      line,
      time: timestamp,
      isFailed: failed,
    };
  });
  return rows.sort((a, b) => a.time - b.time);
}
