// Computes a to-do list from its additions, and creates additions.
import {
  type AddedEntry,
  type AddedFields,
  widgetContent,
  CANNED,
  dictOf,
  Entries,
  listOf,
  nextNumber,
  parsed,
  wordsOf,
} from "./entries.ts";

export interface Task {
  /** Number and creator: `0,canned`, `1,12`. */
  key: string;
  task: string;
  desc: string;
  isDone: boolean;
  /** The server has not assigned the number yet. */
  isOnItsWay?: boolean;
}

export interface TodoList {
  kind: "todo";
  title: string;
  tasks: Task[];
}

/** Returns undefined if the message is not a to-do list. */
export function todoOf(submessages: readonly AddedEntry[], author: number): TodoList | undefined {
  const firstEntry = widgetContent("todo", submessages);
  if (!firstEntry) return undefined;
  const tasks = new Entries<Task>();
  let title = wordsOf(firstEntry.data["task_list_title"]);
  for (const [key, task] of listOf(firstEntry.data["tasks"]).entries())
    addTask(tasks, CANNED, { ...dictOf(task), key });
  for (const { id, sender_id, content } of firstEntry.additions) {
    const addition = parsed(content);
    if (addition["type"] === "new_task") addTask(tasks, sender_id, addition, id < 0);
    else if (addition["type"] === "new_task_list_title") {
      if (sender_id === author) title = wordsOf(addition["title"]);
    } else if (addition["type"] === "strike") {
      const task = tasks.entryFor(id, addition);
      if (task) task.isDone = !task.isDone;
    }
  }
  return { kind: "todo", title, tasks: tasks.all };
}

function addTask(
  tasks: Entries<Task>,
  author: number | typeof CANNED,
  addition: AddedFields,
  isPending = false,
): void {
  const task = wordsOf(addition["task"]);
  const key = tasks.keyFor(task, addition["key"], (number) => `${number},${author}`, isPending);
  if (key === undefined) return;
  const isDone = addition["completed"] === true;
  const desc = wordsOf(addition["desc"]);
  tasks.put(key, task, { key, task, desc, isDone, ...(isPending && { isOnItsWay: isPending }) });
}

export const strike = ({ key }: Task): AddedFields => ({ type: "strike", key });

export function newTask({ tasks }: TodoList, me: number, task: string, desc: string): AddedFields {
  const key = nextNumber(tasks, "", `,${me}`);
  return { type: "new_task", key, task, desc, completed: false };
}
