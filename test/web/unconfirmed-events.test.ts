// Optimistic events are recognized in the server's events, in any order.
import { expect, test } from "bun:test";
import type { LocalEvent, Event } from "../../src/web/contract/snapshot.ts";
import { UnconfirmedEvents } from "../../src/web/sync/mutations/unconfirmed.ts";

const flag = (op: "add" | "remove", id: number): LocalEvent =>
  ({ type: "update_message_flags", op, flag: "starred", messages: [id], all: false }) as LocalEvent;
const editEvent = (id: number, content: string): LocalEvent =>
  ({ type: "update_message", message_id: id, message_ids: [id], content }) as unknown as LocalEvent;

let last = 0;
const toEvent = (event: LocalEvent) => ({ ...event, id: (last += 1) }) as Event;

function unconfirmedWith(...events: LocalEvent[]): UnconfirmedEvents {
  const all = new UnconfirmedEvents();
  for (const [index, event] of events.entries()) all.add(`${index}`, [event]);
  return all;
}

test("does not confirm earlier changes of another message", () => {
  const all = unconfirmedWith(flag("add", 1), editEvent(2, "two"));
  expect(all.confirmByEvents([toEvent(editEvent(2, "two"))])).toEqual({
    confirmed: ["1"],
    overwritten: [],
  });
  expect(all.confirmByEvents([toEvent(flag("add", 1))]).confirmed).toEqual(["0"]);
});

test("reports later changes of the same message as overwritten", () => {
  const [localEvent, two, three] = [flag("add", 1), flag("remove", 1), flag("add", 2)];
  const all = unconfirmedWith(localEvent, two, three);
  const { confirmed, overwritten } = all.confirmByEvents([toEvent(localEvent)]);
  expect(confirmed).toEqual(["0"]);
  expect(overwritten.map(({ key }) => key)).toEqual(["1"]);
  expect(all.confirmByEvents([toEvent(two)]).overwritten).toEqual([]);
});

test("does not report changes of other messages as overwritten", () => {
  // The event of the text arrived before this page loaded, and the text has changed since.
  const all = unconfirmedWith(flag("add", 1), editEvent(2, "old"));
  expect(all.confirmByEvents([toEvent(flag("add", 1))]).overwritten).toEqual([]);
});

test("confirms earlier changes of the same message as well", () => {
  const all = unconfirmedWith(editEvent(1, "first"), editEvent(1, "second"), flag("add", 1));
  expect(all.confirmByEvents([toEvent(editEvent(1, "second"))]).confirmed).toEqual(["1"]);
  expect(all.confirmByEvents([toEvent(editEvent(1, "first"))]).confirmed).toEqual([]);
});
