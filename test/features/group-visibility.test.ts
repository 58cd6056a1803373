/** Users who join a group see the channels whose settings name it, in one event. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { deactivateWithBots } from "../../src/features/accounts/activation.ts";
import { createChannel } from "../../src/features/channels/manage/create.ts";
import { subscribe } from "../../src/features/channels/subscriptions/subscribe.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

const CHANNELS = 60;

let testServer: TestServer;
let group_id: number;
let channels: number[];

beforeEach(async () => {
  testServer = await startTestServer({ url: "http://town.example" });
  ({ group_id } = await testServer.request("olga", "POST /user_groups/create", {
    ...{ name: "gardeners", description: "", members: [testServer.idOf("olga")] },
  }));
  channels = await testServer.realm.write((tx) =>
    Array.from({ length: CHANNELS }, (_, index) => {
      const requester = userNamed(index % 2 === 0 ? "mo" : "ada");
      const fields = { name: `garden ${index}`, invite_only: true, description: "of **ours**" };
      return createChannel(tx, requester, { ...fields, can_add_subscribers_group: group_id }, [
        requester,
      ]).stream_id;
    }),
  );
});
afterEach(() => testServer.close());

const userNamed = (name: Name) => testServer.realm.read.users.get(testServer.idOf(name))!;
const changeMembers = (operation: "add" | "delete", name: Name) =>
  testServer.request("olga", `POST /user_groups/${group_id}/members`, {
    [operation]: [testServer.idOf(name)],
  });
const createdStreams = (events: Json[] | undefined) => {
  const { streams } = events!.find(({ type, op }) => type === "stream" && op === "create")!;
  return streams as Json[];
};
const idsOf = (streams: Json[]) => streams.map(({ stream_id }) => stream_id as number);

test("shows and hides all channels except those of a subscriber", async () => {
  await testServer.realm.write((tx) => {
    const [channel] = channels;
    subscribe(tx, null, [userNamed("cy")], [tx.channels.get(channel!)!]);
  });
  const joining = await staysInSync(testServer, ["cy", "bo", "gus"], () =>
    changeMembers("add", "cy"),
  );
  expect(idsOf(createdStreams(joining.events.cy))).toEqual(channels.slice(1));
  expect(joining.events.bo!.map(({ type }) => type)).toEqual(["user_group"]);
  const leaving = await staysInSync(testServer, ["cy", "bo"], () => changeMembers("delete", "cy"));
  const removal = leaving.events.cy!.find(({ type, op }) => type === "stream" && op === "delete");
  expect(removal!["stream_ids"]).toEqual(channels.slice(1));
});

test("shows none to a guest, and changes nothing for an administrator", async () => {
  const { events } = await staysInSync(testServer, ["gus", "ada"], async () => {
    await changeMembers("add", "gus");
    await changeMembers("add", "ada");
  });
  for (const name of ["gus", "ada"] as const) {
    expect(events[name]!.filter(({ type }) => type === "stream")).toEqual([]);
  }
});

test("keeps the sent state after a restart", async () => {
  const [listener, other] = [await testServer.listen("bo"), await testServer.listen("bo")];
  await changeMembers("add", "bo");
  const before = await listener.takeAll();
  await testServer.restart();
  const after = (await other.takeAll()).filter(({ type }) => type !== "restart");
  expect(after).toEqual(before);
  expect(idsOf(createdStreams(after))).toEqual(channels);
  expect(createdStreams(after)[0]).toMatchObject({
    rendered_description: "<p>of <strong>ours</strong></p>",
    can_add_subscribers_group: group_id,
  });
  await changeMembers("delete", "bo");
});

test("never includes deactivated users in a setting", async () => {
  const channelAdministrators = (events: Json[] | undefined) =>
    createdStreams(events).map((stream) => stream.can_administer_channel_group.direct_members);
  const first = await staysInSync(testServer, ["bo"], () => changeMembers("add", "bo"));
  expect(channelAdministrators(first.events.bo)[0]).toEqual([testServer.idOf("mo")]);
  await changeMembers("delete", "bo");
  await testServer.realm.write(
    (tx) => void deactivateWithBots(tx, tx.users.get(testServer.idOf("mo"))!),
  );
  const { events: eventsByUser } = await staysInSync(testServer, ["bo"], () =>
    changeMembers("add", "bo"),
  );
  expect(channelAdministrators(eventsByUser.bo).slice(0, 2)).toEqual([
    [],
    [testServer.idOf("ada")],
  ]);
});
