// Optimistic events are recognized in the server's events, in any order.
import { expect, test } from "bun:test";
import type { LocalEvent, Event } from "../../src/web/contract/snapshot.ts";
import { UnconfirmedEvents } from "../../src/web/sync/mutations/unconfirmed.ts";

const flag = (op: "add" | "remove", id: number): LocalEvent =>
  ({ type: "update_message_flags", op, flag: "starred", messages: [id], all: false }) as LocalEvent;
const text = (id: number, content: string): LocalEvent =>
  ({ type: "update_message", message_id: id, message_ids: [id], content }) as unknown as LocalEvent;

let last = 0;
const sent = (event: LocalEvent) => ({ ...event, id: (last += 1) }) as Event;

function unconfirmed(...events: LocalEvent[]): UnconfirmedEvents {
  const all = new UnconfirmedEvents();
  for (const [index, event] of events.entries()) all.add(`${index}`, [event]);
  return all;
}

test("does not confirm earlier changes of another message", () => {
  const all = unconfirmed(flag("add", 1), text(2, "two"));
  expect(all.received([sent(text(2, "two"))])).toEqual({ confirmed: ["1"], overwritten: [] });
  expect(all.received([sent(flag("add", 1))]).confirmed).toEqual(["0"]);
});

test("reports later changes of the same message as overwritten", () => {
  const [localEvent, two, three] = [flag("add", 1), flag("remove", 1), flag("add", 2)];
  const all = unconfirmed(localEvent, two, three);
  const { confirmed, overwritten } = all.received([sent(localEvent)]);
  expect(confirmed).toEqual(["0"]);
  expect(overwritten.map(({ key }) => key)).toEqual(["1"]);
  expect(all.received([sent(two)]).overwritten).toEqual([]);
});

test("does not report changes of other messages as overwritten", () => {
  // The event of the text arrived before this page loaded, and the text has changed since.
  const all = unconfirmed(flag("add", 1), text(2, "old"));
  expect(all.received([sent(flag("add", 1))]).overwritten).toEqual([]);
});

test("confirms earlier changes of the same message as well", () => {
  const all = unconfirmed(text(1, "first"), text(1, "second"), flag("add", 1));
  expect(all.received([sent(text(1, "second"))]).confirmed).toEqual(["1"]);
  expect(all.received([sent(text(1, "first"))]).confirmed).toEqual([]);
});
