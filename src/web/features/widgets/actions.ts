// Votes, adds options or tasks and completes tasks: displayed at once and sent to the server.
import { addSubmessage } from "../../api/message-calls.ts";
import { onRowAction } from "../../feed/row-actions.ts";
import { getState } from "../../store/store.ts";
import { optimistic } from "../../sync/optimistic.ts";
import { askText } from "../../ui/text-prompt.tsx";
import { showToast } from "../../ui/toast.tsx";
import { t, type TextKey } from "../../words/words.ts";
import { changeableMessage } from "../messages/actions.ts";
import type { Message } from "../../contract/message.ts";
import type { AddedFields } from "../../../text/widgets/entries.ts";
import { newOption, pollOf, voteOn } from "../../../text/widgets/poll.ts";
import { newTask, strike, todoOf } from "../../../text/widgets/todo.ts";

const msg_type = "widget";

interface EntryOptions {
  isDone?: boolean;
  /** The text of the entry, if that is not confirmed yet. */
  of?: string | undefined;
}

/**
 * Unconfirmed additions have negative numbers, lower for later ones, that no other tab uses. Their
 * event replaces them.
 */
function add(message: Message, addition: AddedFields, more: EntryOptions = {}): void {
  const { id: message_id, submessages } = message;
  const content = JSON.stringify({ ...addition, of: more.of });
  const submessage_id = Math.min(-Date.now(), ...submessages.map(({ id }) => id)) - 1;
  const sender_id = getState().people.me;
  const localEvent = {
    type: "submessage",
    submessage_id,
    message_id,
    sender_id,
    msg_type,
  } as const;
  const request = addSubmessage.toRequest({
    message_id,
    msg_type,
    content: JSON.stringify(addition),
  });
  const change = { message_id, addition: { content, ...more } };
  void optimistic(request, [{ ...localEvent, content }], [{ ...localEvent, content: "" }], {
    change,
  });
}

/** Names an existing entry instead of silently adding nothing. */
function isNew(texts: readonly string[], text: string): boolean {
  const isKnown = texts.includes(text);
  if (isKnown) showToast({ text: t("entry-known", { text }), isAlert: true });
  return !isKnown;
}

const pollIn = ({ submessages, sender_id }: Message) => pollOf(submessages, sender_id);
const listIn = ({ submessages, sender_id }: Message) => todoOf(submessages, sender_id);

onRowAction("poll-vote", ({ message: pressedMessage, on }) => {
  const message = pressedMessage && changeableMessage(pressedMessage.id);
  const option = message && pollIn(message)?.options.find(({ key }) => key === on);
  if (!option) return;
  add(message, voteOn(option, getState().people.me), {
    of: option.isOnItsWay ? option.text : undefined,
  });
});

onRowAction("todo-strike", ({ message: pressedMessage, on }) => {
  const message = pressedMessage && changeableMessage(pressedMessage.id);
  const task = message && listIn(message)?.tasks.find(({ key }) => key === on);
  if (!task) return;
  const pendingTask = task.isOnItsWay ? task.task : undefined;
  add(message, strike(task), { isDone: !task.isDone, of: pendingTask });
});

/**
 * Asks for the text to add. Others may add entries meanwhile, so `additionOf` uses the state at the
 * end.
 */
function onWidgetAction<Widget>(
  action: string,
  prompt: { title: TextKey; label: TextKey },
  widgetIn: (message: Message) => Widget | undefined,
  additionOf: (widget: Widget, text: string) => AddedFields | false,
  valueOf: (widget: Widget) => string = () => "",
): void {
  onRowAction(action, ({ message: pressed }) => {
    const pressedMessage = pressed && changeableMessage(pressed.id);
    const widget = pressedMessage && widgetIn(pressedMessage);
    if (!widget) return;
    const { title, label } = prompt;
    askText({ title: t(title), label: t(label), value: valueOf(widget) }, (text) => {
      const message = changeableMessage(pressedMessage.id);
      const addition = message && additionOf(widgetIn(message) ?? widget, text);
      if (addition) add(message, addition);
    });
  });
}

onWidgetAction(
  "poll-option",
  { title: "poll-option", label: "poll-option-text" },
  pollIn,
  (poll, text) =>
    isNew(
      poll.options.map((option) => option.text),
      text,
    ) && newOption(poll, getState().people.me, text),
);
onWidgetAction(
  "poll-question",
  { title: "poll-question", label: "poll-question-text" },
  pollIn,
  (poll, question) => question !== poll.question && { type: "question", question },
  (poll) => poll.question,
);
onWidgetAction(
  "todo-task",
  { title: "todo-task", label: "todo-task-text" },
  listIn,
  (list, text) => {
    const [task = "", desc = ""] = text.split(/: (.*)/s).map((field) => field.trim());
    const taskNames = list.tasks.map((task) => task.task);
    return isNew(taskNames, task) && newTask(list, getState().people.me, task, desc);
  },
);
onWidgetAction(
  "todo-title",
  { title: "todo-title", label: "title" },
  listIn,
  (list, title) => title !== list.title && { type: "new_task_list_title", title },
  (list) => list.title,
);
