// What one has begun or put off, as rows of one kind: drafts, scheduled messages, reminders.
import type { State } from "../../state.ts";
import type { Place } from "../../views.ts";
import { peopleOf } from "../conversations/state.ts";
import { plainLine } from "../messages/preview.ts";

export type OwnKind = "drafts" | "scheduled" | "reminders";

export interface OwnRow {
  key: string;
  id: number;
  /** undefined: it is to nobody yet. */
  place: Place | undefined;
  /** Of a reminder: the message that it is of. */
  message_id?: number;
  line: string;
  /** Seconds since 1970: when it was written, or falls due. */
  at: number;
  isFailed: boolean;
}

export function ownRows(state: State, kind: OwnKind): OwnRow[] {
  if (kind === "drafts") return draftRows(state);
  return kind === "scheduled" ? scheduledRows(state) : reminderRows(state);
}

/** The newest first. */
function draftRows({ personal, people }: State): OwnRow[] {
  const rows = [...personal.drafts.values()].map(({ id, type, to, topic, content, timestamp }) => {
    const [stream_id] = to;
    const place: Place | undefined =
      type === "private"
        ? { user_ids: peopleOf(to, people.me) }
        : stream_id === undefined
          ? undefined
          : { stream_id, topic };
    return { key: `draft ${id}`, id, place, line: lineOf(content), at: timestamp, isFailed: false };
  });
  return rows.sort((a, b) => b.at - a.at);
}

const lineOf = (content: string) => content.replace(/\s+/gu, " ").trim();

/** What falls due next first. */
function scheduledRows({ personal, people }: State): OwnRow[] {
  const rows = [...personal.scheduled.values()].map((one): OwnRow => {
    const { scheduled_message_id: id, failed } = one;
    const place: Place =
      one.type === "stream"
        ? { stream_id: one.to, topic: one.topic }
        : { user_ids: peopleOf(one.to, people.me) };
    const line = plainLine(one.rendered_content);
    const at = one.scheduled_delivery_timestamp;
    return { key: `scheduled ${id}`, id, place, line, at, isFailed: failed };
  });
  return rows.sort((a, b) => a.at - b.at);
}

function reminderRows({ personal, messages, people }: State): OwnRow[] {
  const rows = [...personal.reminders.values()].map((one): OwnRow => {
    const { reminder_id: id, reminder_target_message_id: message_id, failed } = one;
    const message = messages.byId.get(message_id);
    const of = message?.display_recipient;
    const place: Place | undefined =
      message?.stream_id !== undefined
        ? { stream_id: message.stream_id, topic: message.subject }
        : Array.isArray(of)
          ? {
              user_ids: peopleOf(
                of.map((person) => person.id),
                people.me,
              ),
            }
          : undefined;
    const line = plainLine(one.rendered_content) || (message ? plainLine(message.content) : "");
    const at = one.scheduled_delivery_timestamp;
    return { key: `reminder ${id}`, id, place, message_id, line, at, isFailed: failed };
  });
  return rows.sort((a, b) => a.at - b.at);
}
