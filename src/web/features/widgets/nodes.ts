// Polls and to-do lists in a row, drawn out of what was added to their message.
import { element, icon } from "../../content/node.ts";
import { say } from "../../words/words.ts";
import type { Message } from "../messages/state.ts";
import { type Option, type Poll, pollOf } from "./poll.ts";
import { type Task, type TodoList, todoOf } from "./todo.ts";

interface Reading {
  me: number;
  peopleIn(user_ids: readonly number[]): string;
}

/** Undefined where the message holds neither. */
export function widgetNode(message: Message, reading: Reading): HTMLElement | undefined {
  const { submessages, sender_id } = message;
  if (submessages.length === 0) return undefined;
  const poll = pollOf(submessages, sender_id);
  if (poll) return pollNode(poll, sender_id === reading.me, reading);
  const list = todoOf(submessages, sender_id);
  return list && todoNode(list, sender_id === reading.me);
}

function pollNode(poll: Poll, isOwn: boolean, reading: Reading): HTMLElement {
  const most = Math.max(1, ...poll.options.map(({ votes }) => votes.length));
  const people = new Set(poll.options.flatMap(({ votes }) => votes)).size;
  const title = poll.question === "" ? say("poll-without-question") : poll.question;
  return widget(
    title,
    isOwn ? tool("poll-question") : undefined,
    poll.options.map((option) => optionNode(option, most, reading)),
    say("poll-voters", { count: people }),
    tool("poll-option"),
  );
}

function optionNode(option: Option, most: number, { me, peopleIn }: Reading): HTMLElement {
  const { key, text, votes } = option;
  const count = element("span", "n", `${votes.length}`);
  const meter = element("meter");
  meter.max = most;
  meter.value = votes.length;
  meter.setAttribute("aria-hidden", "true");
  const button = entry("poll-vote", key, votes.includes(me), text);
  // A space, so that what is read is what is named.
  button.append(" ", count, meter);
  const voters = votes.length === 0 ? "" : peopleIn(votes);
  button.setAttribute("aria-label", say("poll-option-of", { text, count: votes.length }));
  button.title = voters;
  if (voters !== "") button.append(element("small", "", bdi(voters)));
  return button;
}

function todoNode(list: TodoList, isOwn: boolean): HTMLElement {
  const done = list.tasks.filter(({ isDone }) => isDone).length;
  const title = list.title === "" ? say("todo-without-title") : list.title;
  return widget(
    title,
    isOwn ? tool("todo-title") : undefined,
    list.tasks.map(taskNode),
    say("todo-done", { done, count: list.tasks.length }),
    tool("todo-task"),
  );
}

function taskNode({ key, task, desc, isDone }: Task): HTMLElement {
  const button = entry("todo-strike", key, isDone, task);
  if (isDone) button.dataset["done"] = "";
  if (desc !== "") button.append(element("small", "", bdi(desc)));
  return button;
}

function widget(
  title: string,
  rename: HTMLElement | undefined,
  entries: readonly HTMLElement[],
  foot: string,
  more: HTMLElement,
): HTMLElement {
  const list = element("ul");
  list.append(...entries.map((one) => element("li", "", one)));
  const head = element("p", "ask", bdi(title));
  if (rename) head.append(rename);
  const by = element("p", "by", element("span", "", foot), more);
  const node = element("div", "md", element("div", "poll", head, list, by));
  node.dir = "auto";
  return node;
}

function entry(act: string, on: string, isPressed: boolean, text: string): HTMLButtonElement {
  const button = element("button", "opt", icon("resolve", 18), bdi(text));
  button.type = "button";
  button.dataset["act"] = act;
  button.dataset["on"] = on;
  button.setAttribute("aria-pressed", `${isPressed}`);
  return button;
}

type Tool = "poll-question" | "poll-option" | "todo-title" | "todo-task";

function tool(act: Tool): HTMLElement {
  const button = element("button", "more", say(act));
  button.type = "button";
  button.dataset["act"] = act;
  return button;
}

const bdi = (text: string) => element("bdi", "", text);
