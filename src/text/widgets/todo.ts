// What a to-do list is after all that was added to it, and what adding to it says.
import { type Added, type Addition, CANNED, inOrder, isMeant, nextNumber, parsed } from "./poll.ts";

export interface Task {
  /** Which of whose it is: `0,canned`, `1,12`. */
  key: string;
  task: string;
  desc: string;
  isDone: boolean;
  /** The server has still to say under which number. */
  isOnItsWay?: boolean;
}

export interface TodoList {
  kind: "todo";
  title: string;
  tasks: Task[];
}

/** Undefined: what the message holds is no to-do list. */
export function todoOf(submessages: readonly Added[], author: number): TodoList | undefined {
  const [first, ...additions] = inOrder(submessages);
  const { widget_type, extra_data } = parsed(first?.content);
  if (widget_type !== "todo") return undefined;
  const { task_list_title = "", tasks = [] } = (extra_data ?? {}) as Record<string, never>;
  const list: TodoList = { kind: "todo", title: String(task_list_title), tasks: [] };
  for (const [key, task] of (tasks as Addition[]).entries())
    addTask(list, CANNED, { ...task, key });
  for (const one of additions) add(list, one, author);
  return list;
}

function add(list: TodoList, { id, sender_id, content }: Added, author: number): void {
  const addition = parsed(content);
  if (addition["type"] === "new_task") addTask(list, sender_id, addition, id < 0);
  else if (addition["type"] === "new_task_list_title") {
    if (sender_id === author) list.title = String(addition["title"]);
  } else if (addition["type"] === "strike") {
    const task = list.tasks.find((one) => isMeant(id, addition, one.key, one.task));
    if (task) task.isDone = !task.isDone;
  }
}

function addTask(
  { tasks }: TodoList,
  by: number | typeof CANNED,
  addition: Addition,
  isOnItsWay = false,
): void {
  const task = String(addition["task"]);
  if (tasks.some((one) => one.task === task)) return;
  const given = String(addition["key"]);
  const isTaken = tasks.some(({ key }) => key === `${given},${by}`);
  if (isTaken && !isOnItsWay) return;
  const key = `${isTaken ? nextNumber(tasks, "", `,${by}`) : given},${by}`;
  const isDone = addition["completed"] === true;
  const desc = String(addition["desc"] ?? "");
  tasks.push({ key, task, desc, isDone, ...(isOnItsWay && { isOnItsWay }) });
}

export const strike = ({ key }: Task): Addition => ({ type: "strike", key });

export function newTask({ tasks }: TodoList, me: number, task: string, desc: string): Addition {
  const key = nextNumber(tasks, "", `,${me}`);
  return { type: "new_task", key, task, desc, completed: false };
}
