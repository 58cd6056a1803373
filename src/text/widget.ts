// Polls and to-do lists: their definition in a message, and validation of additions.
import { isFields } from "./untrusted-json.ts";

/** Rendered beginnings of messages that notifications show without their command. */
export const COMMAND = /^<p>\/(?:me|poll|todo)(?=[\s<])\s*/;

/** Maximum length of the JSON text of a bot's widget, which every reader of the message gets. */
export const WIDGET_LENGTH_MAX = 10_000;

type Widget = Poll | TodoList;

interface Poll {
  widget_type: "poll";
  extra_data: { question: string; options: string[] };
}

interface TodoList {
  widget_type: "todo";
  extra_data: { task_list_title: string; tasks: { task: string; desc: string }[] };
}

/** Returns the widget of a message that starts with `/poll` or `/todo`. */
export function widgetOf(content: string): Widget | undefined {
  const command = /^\/(poll|todo)(?!\S)/.exec(content);
  if (command === null) return undefined;
  const [title = "", ...rest] = content.slice(command[0].length).split(/\r\n|\r|\n/);
  const entries = rest
    .map((line) => line.trim().replace(/^[-*]?\s*/, ""))
    .filter((entry) => entry !== "");
  if (command[1] === "poll") {
    return { widget_type: "poll", extra_data: { question: title.trim(), options: entries } };
  }
  const extra_data = { task_list_title: title.trim(), tasks: entries.map(taskOf) };
  return { widget_type: "todo", extra_data };
}

function taskOf(entry: string): { task: string; desc: string } {
  const colon = entry.indexOf(": ");
  if (colon === -1) return { task: entry.trim(), desc: "" };
  return { task: entry.slice(0, colon).trim(), desc: entry.slice(colon + 2).trim() };
}

type ValueCheck = (value: unknown) => boolean;

const INDEX_MAX = 1_000;
const text: ValueCheck = (value) => typeof value === "string";
const flag: ValueCheck = (value) => typeof value === "boolean";
const vote: ValueCheck = (value) => value === 1 || value === -1;
const index: ValueCheck = (value) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= INDEX_MAX;

/** For each widget and type of addition, the required keys besides `type`. */
const ADDITIONS: Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, ValueCheck>>>>>
> = {
  poll: {
    vote: { key: text, vote },
    question: { question: text },
    new_option: { option: text, idx: index },
  },
  todo: {
    new_task: { key: index, task: text, desc: text, completed: flag },
    strike: { key: text },
    new_task_list_title: { title: text },
  },
};

const AUTHOR_ONLY: Readonly<Record<string, string>> = {
  question: "You can't edit a question unless you are the author.",
  new_task_list_title: "You can't edit the task list title unless you are the author.",
};

/** Returns the reason why an addition is invalid; undefined if it is valid. */
export function submessageFault(
  widget_type: string,
  content: string,
  isAuthor: boolean,
): string | undefined {
  let data: unknown;
  try {
    data = JSON.parse(content);
  } catch {
    return "Invalid json for submessage";
  }
  const additions = ownProperty(ADDITIONS, widget_type);
  if (additions === undefined) return undefined;
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return "submessage is not a dict";
  }
  const { type, ...rest } = data as Record<string, unknown>;
  if (typeof type !== "string") return "type is not a string";
  const keys = ownProperty(additions, type);
  if (keys === undefined) return `Unknown type for ${widget_type} data: ${type}`;
  return (isAuthor ? undefined : ownProperty(AUTHOR_ONLY, type)) ?? faultOf(rest, keys);
}

/** Additions that carry a number chosen by their sender, with which others refer to them. */
const NUMBERED: Readonly<Record<string, string>> = { new_option: "idx", new_task: "key" };

/**
 * Returns the addition with a number that its sender has not used. Two devices of one user may
 * choose the same number, and clients would confuse the options. `before`: the sender's earlier
 * additions. Returns undefined if no number is free.
 */
export function withOwnNumber(content: string, before: readonly string[]): string | undefined {
  const data = dictOf(content);
  const key = ownProperty(NUMBERED, String(data["type"]));
  if (key === undefined) return content;
  const earlier = before.map(dictOf).filter(({ type }) => type === data["type"]);
  const usedValues = new Set(earlier.map((item) => item[key]));
  if (!usedValues.has(data[key])) return content;
  for (let free = 1; free <= INDEX_MAX; free += 1) {
    if (!usedValues.has(free)) return JSON.stringify({ ...data, [key]: free });
  }
  return undefined;
}

/** Invalid content counts as empty. */
function dictOf(content: string): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(content);
    return isFields(data) ? data : {};
  } catch {
    return {};
  }
}

function faultOf(rest: Record<string, unknown>, keys: Readonly<Record<string, ValueCheck>>) {
  for (const key in keys) {
    if (!Object.hasOwn(rest, key)) return `${key} key is missing from submessage`;
    if (!keys[key]!(rest[key])) return `Invalid ${key} in submessage`;
  }
  const extraKey = Object.keys(rest).find((key) => !Object.hasOwn(keys, key));
  return extraKey === undefined ? undefined : `Unexpected arguments: ${extraKey}`;
}

function ownProperty<Value>(
  table: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Returns the reason why a bot's parsed `widget_content` is invalid; undefined if it is valid. */
export function widgetContentFault(widget: unknown): string | undefined {
  if (!isFields(widget)) return "widget_content is not a dict";
  if (!("widget_type" in widget)) return "widget_type is not in widget_content";
  if (!("extra_data" in widget)) return "extra_data is not in widget_content";
  const { widget_type, extra_data } = widget;
  if (!isFields(extra_data)) return "extra_data is not a dict";
  if (widget_type !== "zform") return `unknown widget type: ${String(widget_type)}`;
  if (!("type" in extra_data)) return "zform is missing type field";
  const { type, heading, choices } = extra_data;
  if (type !== "choices") return `unknown zform type: ${String(type)}`;
  if (typeof heading !== "string") return `extra_data["heading"] is not a string`;
  if (!Array.isArray(choices)) return `extra_data["choices"] is not a list`;
  const fits = choices.every(
    (choice) =>
      isFields(choice) && ["short_name", "long_name", "reply"].every((key) => text(choice[key])),
  );
  return fits ? undefined : `extra_data["choices"] has an invalid choice`;
}
