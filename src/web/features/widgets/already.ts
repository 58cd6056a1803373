// Whether a poll or a to-do list is already what adding to it would make of it.
import type { Message } from "../messages/state.ts";
import { type Addition, parsed, pollOf } from "./poll.ts";
import { todoOf } from "./todo.ts";

/** `isDone`: what ticking a task was for, as doing so once more would tick it on again. */
export function hasAlready(
  { id: message_id, submessages, sender_id }: Message,
  { content, isDone }: { content: string; isDone?: boolean },
  me: number,
): boolean {
  const widgetOf = (all: Message["submessages"]) =>
    pollOf(all, sender_id) ?? todoOf(all, sender_id);
  const before = widgetOf(submessages);
  if (before?.kind === "todo" && isDone !== undefined) {
    const { key }: Addition = parsed(content);
    return before.tasks.find((task) => task.key === key)?.isDone === isDone;
  }
  const added = { id: -1, message_id, sender_id: me, msg_type: "widget", content };
  return JSON.stringify(widgetOf([...submessages, added])) === JSON.stringify(before);
}
