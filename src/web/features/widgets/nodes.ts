// Polls and to-do lists in a row, drawn out of what was added to their message.
import { element, icon } from "../../content/node.ts";
import { say } from "../../words/words.ts";
import type { Message } from "../messages/state.ts";
import { isOpen } from "../topics/may.ts";
import { type Option, type Poll, pollOf } from "../../../text/widgets/poll.ts";
import { type Task, type TodoList, todoOf } from "../../../text/widgets/todo.ts";

interface Reading {
  me: number;
  peopleIn(user_ids: readonly number[]): string;
  /** Set for spectators. */
  plain?: unknown;
}

/** Permissions for the widget. */
interface Rights {
  mayAdd: boolean;
  mayRename: boolean;
}

/** Undefined where the message holds neither. */
export function widgetNode(message: Message, reading: Reading): HTMLElement | undefined {
  const { submessages, sender_id } = message;
  if (submessages.length === 0) return undefined;
  const mayAdd = reading.plain === undefined && isOpen(message.stream_id);
  const rights = { mayAdd, mayRename: mayAdd && sender_id === reading.me };
  const poll = pollOf(submessages, sender_id);
  if (poll) return pollNode(poll, rights, reading);
  const list = todoOf(submessages, sender_id);
  return list && todoNode(list, rights);
}

function pollNode(poll: Poll, rights: Rights, reading: Reading): HTMLElement {
  const people = new Set(poll.options.flatMap(({ votes }) => votes)).size;
  return widget(
    poll.question === "" ? say("poll") : poll.question,
    rights.mayRename ? tool("poll-question") : undefined,
    poll.options.map((option) => optionNode(option, people, rights, reading)),
    say("poll-voters", { count: people }),
    rights.mayAdd ? tool("poll-option") : undefined,
  );
}

function optionNode(
  { key, text, votes }: Option,
  people: number,
  { mayAdd }: Rights,
  { me, peopleIn }: Reading,
): HTMLElement {
  const isOwn = votes.includes(me);
  const count = element("span", "n", `${votes.length}`);
  const meter = element("meter");
  // Full is what everybody who voted is for.
  meter.max = Math.max(1, people);
  meter.value = votes.length;
  for (const one of [count, meter]) one.setAttribute("aria-hidden", "true");
  const entry = mayAdd ? button("poll-vote", key) : element("div", "opt");
  if (mayAdd) entry.setAttribute("aria-pressed", `${isOwn}`);
  mark(entry, isOwn);
  const said = element("span", "vh", say("poll-votes", { count: votes.length }));
  // Spaces, so that words of one are not read as those of the other.
  entry.append(bdi(text), " ", count, said, meter);
  if (votes.length === 0) return entry;
  const voters = peopleIn(votes);
  const names = element("small", "", bdi(voters));
  entry.append(" ", names);
  if (!mayAdd) return entry;
  // The voters, announced after the button's name.
  entry.title = voters;
  names.setAttribute("aria-hidden", "true");
  return entry;
}

function todoNode(list: TodoList, rights: Rights): HTMLElement {
  const done = list.tasks.filter(({ isDone }) => isDone).length;
  return widget(
    list.title === "" ? say("todo-without-title") : list.title,
    rights.mayRename ? tool("todo-title") : undefined,
    list.tasks.map((task) => taskNode(task, rights)),
    say("todo-done", { done, count: list.tasks.length }),
    rights.mayAdd ? tool("todo-task") : undefined,
  );
}

function taskNode({ key, task, desc, isDone }: Task, { mayAdd }: Rights): HTMLElement {
  const entry = mayAdd ? button("todo-strike", key) : element("div", "opt");
  entry.setAttribute("role", "checkbox");
  entry.setAttribute("aria-checked", `${isDone}`);
  if (!mayAdd) entry.setAttribute("aria-disabled", "true");
  mark(entry, isDone);
  entry.append(bdi(task));
  if (isDone) entry.dataset["done"] = "";
  if (desc !== "") entry.append(" ", element("small", "", bdi(desc)));
  return entry;
}

function widget(
  title: string,
  rename: HTMLElement | undefined,
  entries: readonly HTMLElement[],
  foot: string,
  more: HTMLElement | undefined,
): HTMLElement {
  const list = element("ul");
  list.append(...entries.map((one) => element("li", "", one)));
  const head = element("p", "ask", bdi(title), ...(rename ? [rename] : []));
  const by = element("p", "by", element("span", "", foot), ...(more ? [more] : []));
  const whole = element("div", "poll", head, ...(entries.length > 0 ? [list] : []), by);
  whole.setAttribute("role", "group");
  whole.setAttribute("aria-label", title);
  const node = element("div", "md", whole);
  node.dir = "auto";
  return node;
}

function button(act: string, on: string): HTMLButtonElement {
  const node = element("button", "opt");
  node.type = "button";
  node.dataset["act"] = act;
  node.dataset["on"] = on;
  return node;
}

/** The tick before an entry, and whether it is one's own or done. */
function mark(entry: HTMLElement, isSet: boolean): void {
  entry.append(icon("resolve", 18));
  if (isSet) entry.dataset["set"] = "";
}

type Tool = "poll-question" | "poll-option" | "todo-title" | "todo-task";

function tool(act: Tool): HTMLElement {
  const button = element("button", "more", say(act));
  button.type = "button";
  button.dataset["act"] = act;
  return button;
}

const bdi = (text: string) => element("bdi", "", text);
