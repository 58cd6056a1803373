// Addresses of channels and groups, and visibility after a change of a channel.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { browsedRows } from "../../src/web/features/channels/browser-rows.ts";
import {
  type AudienceSettings,
  changeBetween,
  audienceOf,
} from "../../src/web/features/channels/editing/audience.ts";
import { channelPageOf, channelPageView } from "../../src/web/features/channels/route-rules.ts";
import {
  membershipPath,
  settingAudience,
  settingOf,
} from "../../src/web/features/groups/audience-selectors.ts";
import { membersOf } from "../../src/web/features/groups/member-selectors.ts";
import { groupPageOf } from "../../src/web/features/groups/route-rules.ts";
import { hydrate, type State } from "../../src/web/store/state.ts";
import { viewOf } from "../../src/web/views.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let state: State;
let makers: number;
let team: number;
beforeAll(async () => {
  testServer = await startTestServer();
  const make = async (requested: object) =>
    (await testServer.request("ada", "POST /user_groups/create", { description: "", ...requested }))
      .group_id;
  makers = await make({ name: "makers", members: [testServer.idOf("bo"), testServer.idOf("gus")] });
  team = await make({ name: "team", members: [testServer.idOf("cy")], subgroups: [makers] });
  const { channel_folder_id: folder_id } = await testServer.request(
    "ada",
    "POST /channel_folders/create",
    {
      ...{ name: "Work", description: "" },
    },
  );
  const subscriptions = [{ name: "zebra" }];
  await testServer.request("ada", "POST /users/me/subscriptions", { subscriptions, folder_id });
  const form = { client_gravatar: false, slim_presence: true, include_subscribers: true };
  state = hydrate(
    (await testServer.request("ada", "POST /register", form)) as Parameters<typeof hydrate>[0],
  );
});
afterAll(() => testServer.close());

const pageAt = (fragment: string) => {
  const view = viewOf(fragment);
  return view.kind === "page" ? channelPageOf(view.path) : undefined;
};

test.each([
  ["#channels", { kind: "list", filter: "all" }],
  ["#streams/subscribed", { kind: "list", filter: "subscribed" }],
  ["#channels/notsubscribed", { kind: "list", filter: "available" }],
  ["#streams/new", { kind: "new" }],
  ["#streams/5/design", { kind: "one", stream_id: 5, section: "general" }],
  ["#channels/5/a.2Fb/subscribers", { kind: "one", stream_id: 5, section: "subscribers" }],
  ["#channels/nonsense", { kind: "list", filter: "all" }],
])("%s is understood", (fragment, page) => {
  expect(pageAt(fragment)).toEqual(page as ReturnType<typeof pageAt>);
});

test("parses a URL to the same view, whatever the name of the channel", () => {
  for (const name of ["design", "a/b", "new.logo", "(x) 100%", "ü #1"]) {
    const view = channelPageView(7, name, "permissions");
    const path = view.kind === "page" ? view.path : [];
    expect(path).toHaveLength(3);
    expect(channelPageOf(path)).toEqual({ kind: "one", stream_id: 7, section: "permissions" });
  }
  expect(groupPageOf(["12", "makers", "members"])).toEqual({ kind: "one", group_id: 12 });
  expect(groupPageOf(["your"])).toEqual({ kind: "list", filter: "your" });
});

test("names who gains and loses access, and guests gain nothing through groups", () => {
  const row = [...state.channels.channels.values()].find(
    (channel) => channel.row.name === "zebra",
  )!.row;
  const open = row as unknown as AudienceSettings;
  const subscribers = new Set([testServer.idOf("ada")]);
  const closed = { ...open, invite_only: true, history_public_to_subscribers: false };
  const closing = changeBetween(
    audienceOf(state, open, subscribers),
    audienceOf(state, closed, subscribers),
  );
  expect(closing.gained).toEqual([]);
  const ids = (...names: ("olga" | "mo" | "bo" | "cy")[]) =>
    names.map((name) => testServer.idOf(name));
  expect(closing.lostIds.toSorted()).toEqual(ids("olga", "mo", "bo", "cy").toSorted());
  expect(closing.hidden.toSorted()).toEqual(ids("mo", "bo", "cy").toSorted());
  const let_in = { ...closed, can_subscribe_group: makers };
  const opening = changeBetween(
    audienceOf(state, closed, subscribers),
    audienceOf(state, let_in, subscribers),
  );
  expect(opening).toEqual({ gained: ids("bo"), lostIds: [], hidden: [] });
});

test("lists each user of a setting once, by groups and by name", () => {
  const setting = settingOf(state, [testServer.idOf("bo")], [team]);
  const { people, throughGroups: through, direct } = settingAudience(state, setting, false);
  expect([...people].toSorted()).toEqual([testServer.idOf("bo"), testServer.idOf("cy")].toSorted());
  expect(through.map(({ group, count }) => [group.name, count])).toEqual([["team", 2]]);
  expect(direct).toEqual([testServer.idOf("bo")]);
  expect(membershipPath(state, team, testServer.idOf("bo"))?.map(({ name }) => name)).toEqual([
    "makers",
  ]);
  expect(settingOf(state, [], [team])).toBe(team);
});

test("finds the members of a long chain of groups", () => {
  const user_id = testServer.idOf("bo");
  const [row] = state.groups.groups.values();
  const ids = Array.from({ length: 20_000 }, (_, id) => id);
  const groups = ids.map((id) => {
    const isInnermost = id === ids.length - 1;
    const members = isInnermost ? [user_id] : [];
    return { ...row!, id, members, direct_subgroup_ids: isInnermost ? [] : [id + 1] };
  });
  const chain = { groups: new Map(groups.map((group) => [group.id, group])), revision: 0 };
  expect([...membersOf(chain, 0)]).toEqual([user_id]);
  const path = membershipPath({ ...state, groups: chain }, 0, user_id);
  expect(path?.map(({ id }) => id)).toEqual(ids.slice(1));
});

test("groups channels by folder, or orders them by name", () => {
  const options = { filter: "all", text: "", sort: "folder" } as const;
  const heads = browsedRows(state, options).filter(({ isHead }) => isHead);
  expect(heads.map(({ name }) => name)).toEqual(["Work", undefined]);
  const names = browsedRows(state, { ...options, sort: "name" }).map(
    ({ channel }) => channel!.row.name,
  );
  expect(names.at(-1)).toBe("zebra");
  expect(browsedRows(state, { ...options, text: "zeb" })).toHaveLength(2);
});
