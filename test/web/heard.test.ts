// Own actions are recognized in events, in any order.
import { expect, test } from "bun:test";
import type { Deed, Event } from "../../src/web/snapshot.ts";
import { Unheard } from "../../src/web/sync/doings/heard.ts";

const flag = (op: "add" | "remove", id: number): Deed =>
  ({ type: "update_message_flags", op, flag: "starred", messages: [id], all: false }) as Deed;
const text = (id: number, content: string): Deed =>
  ({ type: "update_message", message_id: id, message_ids: [id], content }) as unknown as Deed;

let last = 0;
const told = (deed: Deed) => ({ ...deed, id: (last += 1) }) as Event;

function unheard(...deeds: Deed[]): Unheard {
  const all = new Unheard();
  for (const [at, deed] of deeds.entries()) all.foretell(`${at}`, [deed]);
  return all;
}

test("what is told of one thing says nothing of what was done to another before it", () => {
  const all = unheard(flag("add", 1), text(2, "two"));
  expect(all.coveredBy([told(text(2, "two"))])).toEqual({ told: ["1"], covered: [] });
  expect(all.coveredBy([told(flag("add", 1))]).told).toEqual(["0"]);
});

test("what was done to the same after what is told is covered by it", () => {
  const [one, two, three] = [flag("add", 1), flag("remove", 1), flag("add", 2)];
  const all = unheard(one, two, three);
  const { told: known, covered } = all.coveredBy([told(one)]);
  expect(known).toEqual(["0"]);
  expect(covered.map(({ key }) => key)).toEqual(["1"]);
  expect(all.coveredBy([told(two)]).covered).toEqual([]);
});

test("what never was told here is not shown again over what is told of others", () => {
  // Its event was taken before this page began; the text is another one by now.
  const all = unheard(flag("add", 1), text(2, "old"));
  expect(all.coveredBy([told(flag("add", 1))]).covered).toEqual([]);
});

test("what was done to the same before what is told has been told as well", () => {
  const all = unheard(text(1, "first"), text(1, "second"), flag("add", 1));
  expect(all.coveredBy([told(text(1, "second"))]).told).toEqual(["1"]);
  expect(all.coveredBy([told(text(1, "first"))]).told).toEqual([]);
});
