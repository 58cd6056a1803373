// Voting, adding an option or a task, ticking off: seen at once, and told to the server.
import { addSubmessage } from "../../api/deed-calls.ts";
import { onAct } from "../../feed/acts.ts";
import { now } from "../../live.ts";
import { optimistic } from "../../optimistic.ts";
import { askText } from "../../ui/ask.tsx";
import { say } from "../../words/words.ts";
import type { Message } from "../messages/state.ts";
import { type Addition, newOption, pollOf, voteOn } from "./poll.ts";
import { newTask, strike, todoOf } from "./todo.ts";

const msg_type = "widget";

/** What is on its way has a number below zero; its event puts the true one in its place. */
function add(message: Message, addition: Addition, more: { isDone?: boolean } = {}): void {
  const { id: message_id, submessages } = message;
  const content = JSON.stringify(addition);
  const submessage_id = Math.min(0, ...submessages.map(({ id }) => id)) - 1;
  const sender_id = now().people.me;
  const deed = { type: "submessage", submessage_id, message_id, sender_id, msg_type } as const;
  const wanted = addSubmessage.asked({ message_id, msg_type, content });
  const change = { message_id, addition: { content, ...more } };
  void optimistic(wanted, [{ ...deed, content }], [{ ...deed, content: "" }], { change });
}

onAct("poll-vote", ({ message, on }) => {
  const poll = message && pollOf(message.submessages, message.sender_id);
  const option = poll?.options.find(({ key }) => key === on);
  if (option) add(message!, voteOn(option, now().people.me));
});

onAct("poll-option", ({ message }) => {
  const poll = message && pollOf(message.submessages, message.sender_id);
  if (!poll) return;
  askText({ title: say("poll-option"), label: say("poll-option-text") }, (text) => {
    const isKnown = poll.options.some((one) => one.text === text);
    if (!isKnown) add(message!, newOption(poll, now().people.me, text));
  });
});

onAct("poll-question", ({ message }) => {
  const poll = message && pollOf(message.submessages, message.sender_id);
  if (!poll) return;
  const asked = { title: say("poll-question"), label: say("poll-question-text") };
  askText({ ...asked, value: poll.question }, (question) => {
    if (question !== poll.question) add(message!, { type: "question", question });
  });
});

onAct("todo-strike", ({ message, on }) => {
  const list = message && todoOf(message.submessages, message.sender_id);
  const task = list?.tasks.find(({ key }) => key === on);
  if (task) add(message!, strike(task), { isDone: !task.isDone });
});

onAct("todo-task", ({ message }) => {
  const list = message && todoOf(message.submessages, message.sender_id);
  if (!list) return;
  askText({ title: say("todo-task"), label: say("todo-task-text") }, (text) => {
    const [task = "", desc = ""] = text.split(/: (.*)/s);
    const isKnown = list.tasks.some((one) => one.task === task);
    if (!isKnown) add(message!, newTask(list, now().people.me, task.trim(), desc.trim()));
  });
});

onAct("todo-title", ({ message }) => {
  const list = message && todoOf(message.submessages, message.sender_id);
  if (!list) return;
  const asked = { title: say("todo-title"), label: say("todo-title-text"), value: list.title };
  askText(asked, (title) => {
    if (title !== list.title) add(message!, { type: "new_task_list_title", title });
  });
});
