// Polls and to-do lists, and what may be added to them.
import { describe, expect, test } from "bun:test";
import { submessageFault, widgetContentFault, widgetOf } from "../../src/text/widget.ts";

const poll = (question: string, options: string[]) => ({
  widget_type: "poll" as const,
  extra_data: { question, options },
});

test("a poll has a question and options", () => {
  expect(widgetOf("/poll")).toEqual(poll("", []));
  expect(widgetOf("/poll  Lunch? \n- rice\n* soup\n\n  soup\n-bread")).toEqual(
    poll("Lunch?", ["rice", "soup", "soup", "bread"]),
  );
  expect(widgetOf("/poll\nrice")).toEqual(poll("", ["rice"]));
});

test("a to-do list has a title and tasks", () => {
  expect(widgetOf("/todo Trip\n- tent: the green one: please\nrope\n")).toEqual({
    widget_type: "todo",
    extra_data: {
      task_list_title: "Trip",
      tasks: [
        { task: "tent", desc: "the green one: please" },
        { task: "rope", desc: "" },
      ],
    },
  });
});

test.each(["/polls", " /poll x", "/Poll x", "poll", "x /todo"])("%j is not a widget", (content) => {
  expect(widgetOf(content)).toBeUndefined();
});

describe("an addition", () => {
  const fault = (widget: string, data: unknown, isAuthor = true) =>
    submessageFault(widget, JSON.stringify(data), isAuthor);

  test.each([
    ["poll", { type: "vote", key: "canned,0", vote: -1 }],
    ["poll", { type: "question", question: "Dinner?" }],
    ["poll", { type: "new_option", option: "rice", idx: 1000 }],
    ["todo", { type: "new_task", key: 0, task: "a", desc: "", completed: false }],
    ["todo", { type: "strike", key: "0,canned" }],
    ["todo", { type: "new_task_list_title", title: "Trip" }],
    ["zform", { any: "thing" }],
  ])("to a %s may be %j", (widget, data) => expect(fault(widget, data)).toBeUndefined());

  test.each([
    ["poll", { type: "vote", key: "canned,0", vote: 2 }, "Invalid vote in submessage"],
    ["poll", { type: "vote", vote: 1 }, "key key is missing from submessage"],
    ["poll", { type: "strike", key: "a" }, "Unknown type for poll data: strike"],
    ["poll", { type: "new_option", option: "a", idx: 1001 }, "Invalid idx in submessage"],
    ["poll", { type: "new_option", option: "a", idx: 1, x: 1 }, "Unexpected arguments: x"],
    ["todo", { type: "constructor" }, "Unknown type for todo data: constructor"],
    ["todo", { type: 7 }, "type is not a string"],
    ["todo", [], "submessage is not a dict"],
  ])("to a %s may not be %j", (widget, data, reason) => expect(fault(widget, data)).toBe(reason));

  test("must be JSON", () => {
    expect(submessageFault("poll", "{", true)).toBe("Invalid json for submessage");
  });

  test("that renames is only for the author", () => {
    expect(fault("poll", { type: "question", question: "x" }, false)).toBe(
      "You can't edit a question unless you are the author.",
    );
    expect(fault("todo", { type: "new_task_list_title", title: "x" }, false)).toBe(
      "You can't edit the task list title unless you are the author.",
    );
    expect(fault("todo", { type: "strike", key: "x" }, false)).toBeUndefined();
  });
});

describe("a bot's widget", () => {
  const choice = { short_name: "A", long_name: "Apple", reply: "apple" };
  const form = { type: "choices", heading: "Pick", choices: [choice] };

  test("accepts a form with choices", () => {
    expect(widgetContentFault({ widget_type: "zform", extra_data: form })).toBeUndefined();
  });

  test.each([
    [[], "widget_content is not a dict"],
    [{}, "widget_type is not in widget_content"],
    [{ widget_type: "zform" }, "extra_data is not in widget_content"],
    [{ widget_type: "zform", extra_data: 4 }, "extra_data is not a dict"],
    [{ widget_type: "zform", extra_data: {} }, "zform is missing type field"],
    [{ widget_type: "zform", extra_data: { type: "x" } }, "unknown zform type: x"],
    [{ widget_type: "x", extra_data: {} }, "unknown widget type: x"],
    [
      { widget_type: "zform", extra_data: { ...form, choices: [{}] } },
      'extra_data["choices"] has an invalid choice',
    ],
  ])("%j is refused", (widget, reason) => expect(widgetContentFault(widget)).toBe(reason));
});
