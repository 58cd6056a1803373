// A move into protected history, of which somebody outside may read one message and not the others.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { openTown, type Params, type Town } from "../town.ts";

let town: Town;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

async function make(name: string, params: Params): Promise<number> {
  return (await town.ask("bo", "POST /channels/create", { name, ...params })).id;
}

test("its client is told which messages are lost, and that one is elsewhere", async () => {
  const open = await make("open", { subscribers: [town.idOf("bo"), town.idOf("cy")] });
  const secret = await make("secret", {
    subscribers: [town.idOf("bo")],
    invite_only: true,
    can_subscribe_group: { direct_members: [town.idOf("mo")], direct_subgroups: [] },
  });
  const post = async (): Promise<number> => {
    const params = { type: "channel", to: open, topic: "t", content: "x" };
    return (await town.ask("bo", "POST /messages", params)).id;
  };
  const first = await post();
  const join = { subscriptions: [{ name: "open" }] };
  await town.ask("mo", `POST /messages/${first}/reactions`, { emoji_name: "tada" });
  await town.ask("mo", "POST /users/me/subscriptions", join);
  const second = await post();
  await town.ask("mo", "POST /messages/flags", { messages: [second], op: "add", flag: "starred" });

  const client_capabilities = { notification_settings_null: true, bulk_message_deletion: true };
  const event_types = ["delete_message", "update_message"];
  const heard = await town.listen("mo", { event_types, client_capabilities });
  const all = { stream_id: secret, propagate_mode: "change_all" };
  await town.ask("bo", `PATCH /messages/${first}`, all);
  expect(await heard.all()).toMatchObject([
    { type: "delete_message", stream_id: open, message_ids: [second] },
    { type: "update_message", new_stream_id: secret, message_ids: [first, second] },
  ]);
  await town.ask("mo", `GET /messages/${first}`);
  await town.refused("mo", `GET /messages/${second}`);
  const starred = [{ operator: "is", operand: "starred" }];
  const asked = { anchor: "newest", num_before: 9, num_after: 0, narrow: starred };
  expect((await town.ask("mo", "GET /messages", asked)).messages).toEqual([]);
});
