// Read receipts: who is said to have read a message.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../cast.ts";
import { openTown, type Params, type Town } from "../town.ts";

let town: Town;
let stream_id: number;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

let channels = 0;
beforeEach(async () => {
  await allow(true);
  const subscribers = (["bo", "cy", "mo", "gus"] as const).map((name) => town.idOf(name));
  const params = { name: `garden ${++channels}`, subscribers };
  stream_id = (await town.ask("bo", "POST /channels/create", params)).id;
});

const allow = (enable_read_receipts: boolean) =>
  town.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, enable_read_receipts } });
  });

async function post(params: Params = {}): Promise<number> {
  const message = { type: "channel", to: stream_id, topic: "t", content: "x", ...params };
  return (await town.ask("bo", "POST /messages", { read_by_sender: true, ...message })).id;
}

const read = (who: Name, id: number) =>
  town.ask(who, "POST /messages/flags", { messages: [id], op: "add", flag: "read" });

async function readers(by: Name, id: number): Promise<Name[]> {
  const { user_ids } = await town.ask(by, `GET /messages/${id}/read_receipts`);
  const names: Name[] = ["olga", "ada", "mo", "bo", "cy", "gus", "bot"];
  return names.filter((name) => user_ids.includes(town.idOf(name)));
}

test("they name those who have read it, without the sender", async () => {
  const id = await post();
  expect(await readers("bo", id)).toEqual([]);
  await read("cy", id);
  await read("gus", id);
  expect(await readers("bo", id)).toEqual(["cy", "gus"]);
  expect(await readers("olga", id)).toEqual(["cy", "gus"]);
});

test("only those who have the message among their own count", async () => {
  const id = await post({ content: "@**Botty**" });
  await read("ada", id);
  expect(await readers("bo", id)).toEqual([]);
  await town.ask("ada", "POST /messages/flags", { messages: [id], op: "add", flag: "starred" });
  await town.ask("bot", "POST /mark_all_as_read");
  await town.ask("cy", "POST /mark_all_as_read");
  await town.ask("cy", "DELETE /users/me/subscriptions", { subscriptions: [`garden ${channels}`] });
  expect(await readers("bo", id)).toEqual(["ada", "cy", "bot"]);
});

test("of a direct message, its people", async () => {
  const id = await post({ type: "direct", to: [town.idOf("cy"), town.idOf("mo")] });
  await read("mo", id);
  expect(await readers("cy", id)).toEqual(["mo"]);
});

test("nobody is named who keeps it to themself, or is mutely passed by", async () => {
  const id = await post();
  for (const who of ["cy", "mo", "gus"] as const) await read(who, id);
  await town.ask("mo", "PATCH /settings", { send_read_receipts: false });
  expect(await readers("bo", id)).toEqual(["cy", "gus"]);
  await town.ask("mo", "PATCH /settings", { send_read_receipts: true });

  await town.ask("bo", `POST /users/me/muted_users/${town.idOf("cy")}`);
  await town.ask("gus", `POST /users/me/muted_users/${town.idOf("bo")}`);
  expect(await readers("bo", id)).toEqual(["mo"]);
  expect(await readers("mo", id)).toEqual(["mo", "cy", "gus"]);
  await town.ask("bo", `DELETE /users/me/muted_users/${town.idOf("cy")}`);
  await town.ask("gus", `DELETE /users/me/muted_users/${town.idOf("bo")}`);

  await town.ask("olga", `DELETE /users/${town.idOf("mo")}`);
  expect(await readers("bo", id)).toEqual(["cy", "gus"]);
  await town.ask("olga", `POST /users/${town.idOf("mo")}/reactivate`);
});

test("they are for who may read the message, in an organization that has them", async () => {
  const isRefused = async (refusal: errors.Refusal, who: Name, id: number) => {
    const refused = await town.refused(who, `GET /messages/${id}/read_receipts`);
    expect(refused).toMatchObject({ code: refusal.errCode, msg: refusal.message, status: 400 });
  };
  const id = await post({ type: "direct", to: [town.idOf("cy")] });
  await isRefused(messageErrors.messageNotFound(), "olga", id);
  await allow(false);
  await isRefused(messageErrors.messageNotFound(), "olga", id);
  await isRefused(messageErrors.readReceiptsDisabled(), "bo", id);
});
