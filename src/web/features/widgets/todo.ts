// What a to-do list is after all that was added to it, and what adding to it says.
import type { Submessage } from "../messages/state.ts";
import { type Addition, CANNED, inOrder, nextNumber, parsed } from "./poll.ts";

export interface Task {
  /** Which of whose it is: `0,canned`, `1,12`. */
  key: string;
  task: string;
  desc: string;
  isDone: boolean;
}

export interface TodoList {
  kind: "todo";
  title: string;
  tasks: Task[];
}

/** Undefined: what the message holds is no to-do list. */
export function todoOf(submessages: readonly Submessage[], author: number): TodoList | undefined {
  const [first, ...additions] = inOrder(submessages);
  const { widget_type, extra_data } = parsed(first?.content);
  if (widget_type !== "todo") return undefined;
  const { task_list_title = "", tasks = [] } = (extra_data ?? {}) as Record<string, never>;
  const list: TodoList = { kind: "todo", title: String(task_list_title), tasks: [] };
  for (const [key, task] of (tasks as Addition[]).entries())
    addTask(list, CANNED, { ...task, key });
  for (const { sender_id, content } of additions) add(list, sender_id, author, parsed(content));
  return list;
}

function add(list: TodoList, sender_id: number, author: number, addition: Addition): void {
  if (addition["type"] === "new_task") addTask(list, sender_id, addition);
  else if (addition["type"] === "new_task_list_title") {
    if (sender_id === author) list.title = String(addition["title"]);
  } else if (addition["type"] === "strike") {
    const task = list.tasks.find(({ key }) => key === addition["key"]);
    if (task) task.isDone = !task.isDone;
  }
}

function addTask(list: TodoList, by: number | typeof CANNED, addition: Addition): void {
  const key = `${String(addition["key"])},${by}`;
  const task = String(addition["task"]);
  if (list.tasks.some((one) => one.key === key || one.task === task)) return;
  const isDone = addition["completed"] === true;
  list.tasks.push({ key, task, desc: String(addition["desc"] ?? ""), isDone });
}

export const strike = ({ key }: Task): Addition => ({ type: "strike", key });

export function newTask({ tasks }: TodoList, me: number, task: string, desc: string): Addition {
  const key = nextNumber(tasks, "", `,${me}`);
  return { type: "new_task", key, task, desc, completed: false };
}
