// What a change of role brings into sight, or out of it, besides people: addresses and channels.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../cast.ts";
import { staysInSync } from "../sync.ts";
import { openTown, type Town } from "../town.ts";

let town: Town;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

const becomes = (name: Name, role: number) =>
  town.ask("olga", `PATCH /users/${town.idOf(name)}`, { role });
const listsOf = async (name: Name, channel: string) => {
  const state = await town.ask(name, "POST /register");
  const lists = ["subscriptions", "unsubscribed", "never_subscribed"];
  return lists.filter((list) => state[list].some((row: { name: string }) => row.name === channel));
};

async function channel(name: string, more: object = {}): Promise<number> {
  const subscribers = [town.idOf("bo"), town.idOf("ada")];
  return (await town.ask("ada", "POST /channels/create", { name, subscribers, ...more })).id;
}

test("who rises hears of the addresses that come in sight, and who sinks loses them", async () => {
  await town.ask("cy", "PATCH /settings", { email_address_visibility: 5 });
  await town.ask("ada", "PATCH /settings", { email_address_visibility: 3 });
  await town.ask("mo", "PATCH /settings", { email_address_visibility: 4 });
  const told = (list: Record<string, any>[]) =>
    list.flatMap(({ person }) => (person && "delivery_email" in person ? [person] : []));
  const up = await staysInSync(town, ["bo", "gus"], () => becomes("bo", 300));
  const cy = { user_id: town.idOf("cy"), delivery_email: "cy@example.com" };
  expect(told(up.heard.bo!)).toEqual([cy]);
  expect(told(up.heard.gus!)).toEqual([]);
  const top = await staysInSync(town, ["bo"], () => becomes("bo", 200));
  const ada = { user_id: town.idOf("ada"), delivery_email: "ada@example.com" };
  expect(told(top.heard.bo!)).toEqual([ada]);
  const down = await staysInSync(town, ["bo"], () => becomes("bo", 400));
  expect(told(down.heard.bo!)).toEqual([
    { ...ada, delivery_email: null },
    { ...cy, delivery_email: null },
  ]);
});

test("a guest limited to some people is told of the addresses of those alone", async () => {
  await town.ask("cy", "PATCH /settings", { email_address_visibility: 2 });
  await town.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const can_access_all_users_group = tx.groups.one("name", "role:members")!.id;
    tx.realm.put({ ...realm, settings: { ...realm.settings, can_access_all_users_group } });
  });
  await staysInSync(town, ["bo"], () => becomes("bo", 600));
  await staysInSync(town, ["bo"], () => becomes("bo", 400));
});

test("a channel that was left, and went out of sight, comes back as any other", async () => {
  const stream_id = await channel("garden");
  await town.ask("bo", "DELETE /users/me/subscriptions", { subscriptions: ["garden"] });
  expect(await listsOf("bo", "garden")).toEqual(["unsubscribed"]);
  await staysInSync(town, ["bo"], () => becomes("bo", 600));
  await staysInSync(town, ["bo"], () => becomes("bo", 400));
  expect(await listsOf("bo", "garden")).toEqual(["never_subscribed"]);

  const subscriptions = [{ name: "garden" }];
  await staysInSync(town, ["bo"], () =>
    town.ask("bo", "POST /users/me/subscriptions", { subscriptions }),
  );
  await town.ask("bo", "DELETE /users/me/subscriptions", { subscriptions: ["garden"] });
  expect(await listsOf("bo", "garden")).toEqual(["unsubscribed"]);
  expect(town.realm.read.subscriptions.get(town.idOf("bo"), stream_id)!.intervals).toEqual([]);
});

test("so does one that was closed to who had left it, and opened again", async () => {
  const stream_id = await channel("pond");
  await town.ask("bo", "DELETE /users/me/subscriptions", { subscriptions: ["pond"] });
  const line = `PATCH /streams/${stream_id}`;
  await staysInSync(town, ["bo"], () => town.ask("ada", line, { is_private: true }));
  await staysInSync(town, ["bo"], () => town.ask("ada", line, { is_private: false }));
  expect(await listsOf("bo", "pond")).toEqual(["never_subscribed"]);
});
