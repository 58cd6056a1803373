// Polls and to-do lists, computed from any submessages.
import { expect, test } from "bun:test";
import { reduceMessages } from "../../src/web/features/messages/state.ts";
import type { Message, Submessage } from "../../src/web/contract/message.ts";
import { asNumbered, isAlreadyDone } from "../../src/web/features/widgets/selectors.ts";
import { newOption, pollOf, voteOn } from "../../src/text/widgets/poll.ts";
import { newTask, strike, todoOf } from "../../src/text/widgets/todo.ts";
import type { Event } from "../../src/web/contract/snapshot.ts";

const [ada, bo, cy] = [1, 2, 3];

function buildWidget(widget: unknown, ...additions: [sender_id: number, addition: unknown][]) {
  const all = [[ada, widget] as const, ...additions];
  return all.map(([sender_id, content], index): Submessage => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    return { id: index + 1, message_id: 9, sender_id, msg_type: "widget", content: text };
  });
}

const poll = { widget_type: "poll", extra_data: { question: "When?", options: ["Now", "Later"] } };
const todo = {
  widget_type: "todo",
  extra_data: { task_list_title: "Before", tasks: [{ task: "Image", desc: "arm64" }] },
};

test("counts one vote per user, which can be removed", () => {
  const vote = (key: string, value: 1 | -1) => ({ type: "vote", key, vote: value });
  const after = pollOf(
    buildWidget(
      poll,
      [bo, vote("canned,0", 1)],
      [bo, vote("canned,0", 1)],
      [cy, vote("canned,1", 1)],
      [cy, vote("canned,1", -1)],
      [cy, { type: "new_option", idx: 1, option: "Never" }],
      [bo, vote("3,1", 1)],
    ),
    ada,
  )!;
  expect(after.options).toEqual([
    { key: "canned,0", text: "Now", votes: [bo] },
    { key: "canned,1", text: "Later", votes: [] },
    { key: "3,1", text: "Never", votes: [bo] },
  ]);
  expect(voteOn(after.options[0]!, bo)).toEqual({ type: "vote", key: "canned,0", vote: -1 });
  expect(newOption(after, cy, "Soon")).toEqual({ type: "new_option", idx: 2, option: "Soon" });
});

test("only the author can change the question; invalid data is ignored", () => {
  const additions: [number, unknown][] = [
    [bo, { type: "question", question: "Mine?" }],
    [bo, "no json {"],
    [bo, "[1, 2]"],
    [bo, { type: "vote", key: "nobody,7", vote: 1 }],
    [bo, { type: "something new" }],
  ];
  expect(pollOf(buildWidget(poll, ...additions), ada)!.question).toBe("When?");
  const own: [number, unknown] = [ada, { type: "question", question: "So when?" }];
  expect(pollOf(buildWidget(poll, ...additions, own), ada)!.question).toBe("So when?");
  expect(pollOf(buildWidget(todo), ada)).toBeUndefined();
  expect(pollOf(buildWidget("nothing"), ada)).toBeUndefined();
  expect(pollOf([], ada)).toBeUndefined();
});

test("other data in a message is not a widget", () => {
  const hostile = { toString: 1, valueOf: 1 };
  const widgets = [
    { widget_type: "poll", extra_data: { question: hostile, options: [hostile, 5, null] } },
    { widget_type: "poll", extra_data: { options: 5 } },
    { widget_type: "todo", extra_data: { task_list_title: hostile, tasks: [hostile, null, 7] } },
    { widget_type: "todo", extra_data: { tasks: "abc" } },
  ];
  for (const widget of widgets) {
    const own = buildWidget(widget).map((item) => ({ ...item, msg_type: "mine" }));
    expect(pollOf(own, ada) ?? todoOf(own, ada)).toBeUndefined();
    // A vote with a hostile key does not prevent rendering either.
    const message = buildWidget(widget, [bo, { type: "vote", key: hostile, vote: hostile }]);
    expect(pollOf(message, ada) ?? todoOf(message, ada)).toBeDefined();
  }
  const withOption = buildWidget(poll, [bo, { type: "new_option", idx: 1, option: "Never" }]);
  withOption[1]!.msg_type = "mine";
  expect(pollOf(withOption, ada)!.options.map(({ text }) => text)).toEqual(["Now", "Later"]);
});

test("anyone can tick and untick a task", () => {
  const once = todoOf(buildWidget(todo, [bo, { type: "strike", key: "0,canned" }]), ada)!;
  expect(once.tasks).toEqual([{ key: "0,canned", task: "Image", desc: "arm64", isDone: true }]);
  const repeated = buildWidget(todo, [bo, strike(once.tasks[0]!)], [cy, strike(once.tasks[0]!)]);
  expect(todoOf(repeated, ada)!.tasks[0]!.isDone).toBe(false);
  const added = newTask(once, bo, "Tag", "");
  expect(added).toEqual({ type: "new_task", key: 1, task: "Tag", desc: "", completed: false });
  const after = todoOf(buildWidget(todo, [bo, added]), ada)!;
  expect(after.tasks.map(({ key, task }) => [key, task])).toEqual([
    ["0,canned", "Image"],
    ["1,2", "Tag"],
  ]);
});

test("pending changes apply after all received events", () => {
  const own = { id: -1, message_id: 9, sender_id: cy, msg_type: "widget" };
  const vote = { ...own, content: JSON.stringify({ type: "vote", key: "canned,0", vote: 1 }) };
  const after = pollOf([vote, ...buildWidget(poll)], ada)!;
  expect(after.options[0]!.votes).toEqual([cy]);
});

const messageWith = (submessages: Submessage[]) =>
  ({ id: 9, sender_id: ada, submessages }) as Partial<Message> as Message;

test("detects changes that the widget already has", () => {
  const vote = { type: "vote", key: "canned,0", vote: 1 };
  const option = { type: "new_option", idx: 1, option: "Never" };
  const voted = messageWith(buildWidget(poll, [bo, vote]));
  const request = (addition: unknown) => ({ content: JSON.stringify(addition) });
  expect(isAlreadyDone(voted, request(vote), bo)).toBe(true);
  expect(isAlreadyDone(voted, request({ ...vote, vote: -1 }), bo)).toBe(false);
  expect(isAlreadyDone(voted, request(vote), cy)).toBe(false);
  expect(isAlreadyDone(voted, request(option), bo)).toBe(false);
  expect(isAlreadyDone(messageWith(buildWidget(poll, [bo, option])), request(option), bo)).toBe(
    true,
  );
  // Another device has used the same number for another option, so this one is still to be added.
  const soon = { ...option, option: "Soon" };
  expect(isAlreadyDone(messageWith(buildWidget(poll, [bo, option])), request(soon), bo)).toBe(
    false,
  );
  const tick = { type: "strike", key: "0,canned" };
  const ticked = messageWith(buildWidget(todo, [cy, tick]));
  expect(isAlreadyDone(ticked, { ...request(tick), isDone: true }, bo)).toBe(true);
  expect(isAlreadyDone(ticked, { ...request(tick), isDone: false }, bo)).toBe(false);
});

test("identifies pending additions by text, not by number", () => {
  const option = (idx: number, text: string) => ({ type: "new_option", idx, option: text });
  const task = (key: number, text: string) => ({ type: "new_task", key, task: text, desc: "" });
  const submessage = (id: number, addition: object): Submessage => {
    const content = JSON.stringify(addition);
    return { id, message_id: 9, sender_id: bo, msg_type: "widget", content };
  };
  const vote = { type: "vote", key: "2,1", vote: 1, of: "Soon" };
  const added = [submessage(-1, option(1, "Soon")), submessage(-2, vote)];
  const after = pollOf([...buildWidget(poll, [bo, option(1, "Never")]), ...added], ada)!;
  expect(after.options.slice(2)).toEqual([
    { key: "2,1", text: "Never", votes: [] },
    { key: "2,2", text: "Soon", votes: [bo], isOnItsWay: true },
  ]);
  const strike = { type: "strike", key: "1,2", of: "Tag" };
  const submessages = [submessage(-1, task(1, "Tag")), submessage(-2, strike)];
  const list = todoOf([...buildWidget(todo, [bo, task(1, "Tell")]), ...submessages], ada)!;
  expect(list.tasks.slice(1)).toEqual([
    { key: "1,2", task: "Tell", desc: "", isDone: false },
    { key: "2,2", task: "Tag", desc: "", isDone: true, isOnItsWay: true },
  ]);
  // A vote with such a key is counted by its number, as in other clients.
  const forged = pollOf(buildWidget(poll, [cy, { ...vote, key: "canned,0", of: "Later" }]), ada)!;
  expect(forged.options.map(({ votes }) => votes)).toEqual([[cy], []]);
  const struck = todoOf(
    buildWidget(todo, [bo, task(1, "Tag")], [cy, { ...strike, key: "0,canned" }]),
    ada,
  )!;
  expect(struck.tasks.map(({ isDone }) => isDone)).toEqual([true, false]);
  const buildNumbered = (widget: object, addition: object, details: object) =>
    asNumbered(messageWith(buildWidget(widget, [cy, addition])), JSON.stringify(details));
  const { of: _of, ...payload } = vote;
  expect(buildNumbered(poll, option(4, "Soon"), vote)).toBe(
    JSON.stringify({ ...payload, key: "3,4" }),
  );
  expect(buildNumbered(todo, task(4, "Tag"), strike)).toBe('{"type":"strike","key":"4,3"}');
  expect(buildNumbered(poll, option(4, "Never"), vote)).toBeUndefined();
});

test("shows an own addition once, by event or by fetch", () => {
  const content = JSON.stringify({ type: "strike", key: "0,canned" });
  const message = messageWith(buildWidget(todo));
  const slice = {
    byId: new Map([[9, message]]),
    starred: new Set<number>(),
    newest: 9,
    moves: 0,
    crossed: new Set<number>(),
  };
  const receive = (submessage_id: number, text = content) => {
    const payload = {
      submessage_id,
      message_id: 9,
      sender_id: bo,
      msg_type: "widget",
      content: text,
    };
    reduceMessages(slice, { type: "submessage", id: 1, ...payload } as Event, new Set());
    return message.submessages.slice(1).map(({ id }) => id);
  };
  expect(receive(-1)).toEqual([-1]);
  // A fetch may have lacked the addition, so the client shows it again.
  expect(receive(-1)).toEqual([-1]);
  expect(receive(-2)).toEqual([-1, -2]);
  expect(receive(7)).toEqual([-2, 7]);
  expect(receive(-2, "")).toEqual([7]);
  // The fetched message has the addition, but a tab that does not know this shows it again.
  expect(receive(-3)).toEqual([7, -3]);
  expect(receive(7)).toEqual([7]);
  // The server may have changed the number of an added option, if another device had used it.
  const option = (idx: number, text = "Soon") =>
    JSON.stringify({ type: "new_option", idx, option: text });
  expect(receive(-4, option(1))).toEqual([7, -4]);
  expect(receive(-5, option(2, '"idx":1'))).toEqual([7, -4, -5]);
  expect(receive(8, option(2))).toEqual([7, -5, 8]);
  expect(receive(9, option(1, '"idx":2'))).toEqual([7, -5, 8, 9]);
  expect(receive(10, option(3, '"idx":1'))).toEqual([7, 8, 9, 10]);
});
