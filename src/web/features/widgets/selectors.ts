// Finds out whether a poll or to-do list already contains an entry.
import type { Message } from "../../contract/message.ts";
import { type AddedFields, parsed } from "../../../text/widgets/entries.ts";
import { pollOf } from "../../../text/widgets/poll.ts";
import { todoOf } from "../../../text/widgets/todo.ts";

/** `isDone`: whether the task was to be completed; completing it twice would undo it. */
export function isAlreadyDone(
  { id: message_id, submessages, sender_id }: Message,
  { content, isDone }: { content: string; isDone?: boolean },
  me: number,
): boolean {
  const before = widgetOf(submessages, sender_id);
  if (before?.kind === "todo" && isDone !== undefined) {
    const { key }: AddedFields = parsed(content);
    return before.tasks.find((task) => task.key === key)?.isDone === isDone;
  }
  const added = { id: -1, message_id, sender_id: me, msg_type: "widget", content };
  const after = widgetOf([...submessages, added], sender_id);
  return JSON.stringify(after) === JSON.stringify(before);
}

/** The entry's number on the server. Undefined if there is no such entry. */
export function asNumbered(
  { submessages, sender_id }: Message,
  content: string,
): string | undefined {
  const { of, ...addition } = parsed(content);
  const widget = widgetOf(submessages, sender_id);
  const entry =
    widget?.kind === "poll"
      ? widget.options.find(({ text }) => text === of)
      : widget?.tasks.find(({ task }) => task === of);
  return entry && JSON.stringify({ ...addition, key: entry.key });
}

const widgetOf = (submessages: Message["submessages"], author: number) =>
  pollOf(submessages, author) ?? todoOf(submessages, author);
