// The log is trimmed behind the slowest queue, which misses nothing by that.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { trimLog } from "../../src/features/register/checkpoint.ts";
import { openTown, type Town } from "../town.ts";

const SENDS = 20;

let town: Town;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

const numbers = () => [...town.realm.read.log.range()].map(({ seq }) => seq);

async function send(name: "ada" | "bo", content: string) {
  const to = JSON.stringify([town.idOf("bo")]);
  await town.ask(name, "POST /messages", { type: "direct", to, content });
}

test("what a queue has still to deliver stays, also over a restart", async () => {
  await send("ada", "before anyone listens");
  const listener = await town.listen("bo", { event_types: ["message"] });
  const opened_at: number = listener.registered["last_event_id"];
  await trimLog(town.realm);
  expect(numbers().filter((seq) => seq <= opened_at)).toEqual([]);

  for (let at = 0; at < SENDS; at++) await send("ada", `number ${at}`);
  const before = numbers();
  await trimLog(town.realm);
  expect(numbers()).toEqual(before);

  await town.restart();
  await trimLog(town.realm);
  const contents = (await listener.all()).map(({ message }) => message.content);
  expect(contents).toEqual(Array.from({ length: SENDS }, (_, at) => `number ${at}`));

  await listener.all();
  await trimLog(town.realm);
  expect(numbers()).toEqual([]);
});
