// Renders polls and to-do lists in rows.
import { element, icon } from "../../content/node.ts";
import { t } from "../../words/words.ts";
import type { Message } from "../../contract/message.ts";
import { isOpen } from "../topics/permissions.ts";
import { type Option, type Poll, pollOf } from "../../../text/widgets/poll.ts";
import { type Task, type TodoList, todoOf } from "../../../text/widgets/todo.ts";

/** The data with which widgets are rendered. */
export interface WidgetContext {
  me: number;
  peopleIn(user_ids: readonly number[]): string;
  /** Set for spectators. */
  removeControls?(node: HTMLElement): void;
}

/** Permissions for the widget. */
interface WidgetRights {
  canAdd: boolean;
  canRename: boolean;
}

/** undefined if the message has neither. */
export function widgetNode(message: Message, context: WidgetContext): HTMLElement | undefined {
  const { submessages, sender_id } = message;
  if (submessages.length === 0) return undefined;
  const canAdd = context.removeControls === undefined && isOpen(message.stream_id);
  const rights = { canAdd, canRename: canAdd && sender_id === context.me };
  const poll = pollOf(submessages, sender_id);
  if (poll) return pollNode(poll, rights, context);
  const list = todoOf(submessages, sender_id);
  return list && todoNode(list, rights);
}

function pollNode(poll: Poll, rights: WidgetRights, context: WidgetContext): HTMLElement {
  const people = new Set(poll.options.flatMap(({ votes }) => votes)).size;
  return widget(
    poll.question === "" ? t("poll") : poll.question,
    rights.canRename ? tool("poll-question") : undefined,
    poll.options.map((option) => optionNode(option, people, rights, context)),
    t("poll-voters", { count: people }),
    rights.canAdd ? tool("poll-option") : undefined,
  );
}

function optionNode(
  { key, text, votes }: Option,
  people: number,
  { canAdd }: WidgetRights,
  { me, peopleIn }: WidgetContext,
): HTMLElement {
  const isOwn = votes.includes(me);
  const count = element("span", "n", `${votes.length}`);
  const meter = element("meter");
  // A full bar means that everyone who voted chose this option.
  meter.max = Math.max(1, people);
  meter.value = votes.length;
  for (const node of [count, meter]) node.setAttribute("aria-hidden", "true");
  const entry = canAdd ? button("poll-vote", key) : element("div", "opt");
  if (canAdd) entry.setAttribute("aria-pressed", `${isOwn}`);
  mark(entry, isOwn);
  const label = element("span", "vh", t("poll-votes", { count: votes.length }));
  // Spaces, so that screen readers do not join the words.
  entry.append(bdi(text), " ", count, label, meter);
  if (votes.length === 0) return entry;
  const voters = peopleIn(votes);
  const names = element("small", "", bdi(voters));
  entry.append(" ", names);
  if (!canAdd) return entry;
  // The voters, announced after the button's name.
  entry.title = voters;
  names.setAttribute("aria-hidden", "true");
  return entry;
}

function todoNode(list: TodoList, rights: WidgetRights): HTMLElement {
  const doneCount = list.tasks.filter(({ isDone }) => isDone).length;
  return widget(
    list.title === "" ? t("todo-without-title") : list.title,
    rights.canRename ? tool("todo-title") : undefined,
    list.tasks.map((task) => taskNode(task, rights)),
    t("todo-done", { done: doneCount, count: list.tasks.length }),
    rights.canAdd ? tool("todo-task") : undefined,
  );
}

function taskNode({ key, task, desc, isDone }: Task, { canAdd }: WidgetRights): HTMLElement {
  const entry = canAdd ? button("todo-strike", key) : element("div", "opt");
  entry.setAttribute("role", "checkbox");
  entry.setAttribute("aria-checked", `${isDone}`);
  if (!canAdd) entry.setAttribute("aria-disabled", "true");
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
  list.append(...entries.map((entry) => element("li", "", entry)));
  const head = element("p", "ask", bdi(title), ...(rename ? [rename] : []));
  const authors = element("p", "by", element("span", "", foot), ...(more ? [more] : []));
  const whole = element("div", "poll", head, ...(entries.length > 0 ? [list] : []), authors);
  whole.setAttribute("role", "group");
  whole.setAttribute("aria-label", title);
  const node = element("div", "md", whole);
  node.dir = "auto";
  return node;
}

function button(action: string, value: string): HTMLButtonElement {
  const node = element("button", "opt");
  node.type = "button";
  node.dataset["act"] = action;
  node.dataset["on"] = value;
  return node;
}

/** The circle before an entry, with a check mark for the user's own vote or a completed task. */
function mark(entry: HTMLElement, isSet: boolean): void {
  entry.append(icon(isSet ? "resolve" : "circle", 18));
  if (isSet) entry.dataset["set"] = "";
}

type WidgetTool = "poll-question" | "poll-option" | "todo-title" | "todo-task";

function tool(toolName: WidgetTool): HTMLElement {
  const button = element("button", "more", t(toolName));
  button.type = "button";
  button.dataset["act"] = toolName;
  return button;
}

const bdi = (text: string) => element("bdi", "", text);
