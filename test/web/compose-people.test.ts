// Suggestions of users: the likeliest first, without reading all names again.
import { expect, test } from "bun:test";
import { firstBy, NameIndex } from "../../src/web/features/typeahead/people.ts";
import { Suggester } from "../../src/web/features/typeahead/suggest.ts";
import { recencyIn } from "../../src/web/features/typeahead/recency.ts";
import { personOf } from "../../src/web/features/people/state.ts";
import { noticesOf } from "../../src/web/features/compose/notices.ts";
import { hydrate, reduce, type State } from "../../src/web/store/state.ts";
import { reasonAgainst } from "../../src/web/features/recipient/reasons.ts";
import { topicsPolicy } from "../../src/web/features/recipient/topics-policy.ts";
import { snapshotOf } from "./snapshot-of.ts";

const PEOPLE = 10_000;
const many = Array.from({ length: PEOPLE }, (_, index) => ({
  id: index,
  name: `First${index % 977} Last${index}`,
}));

test("reads no name twice, and only matches per key, among ten thousand users", () => {
  const index = new NameIndex();
  index.setItems(many);
  expect(index.readCount).toBe(PEOPLE);
  expect(index.find("last77").length).toBeGreaterThan(100);
  index.examinedCount = 0;
  expect(index.find("last7777")).toEqual([7777]);
  // A binary search, and reading the match itself.
  expect(index.examinedCount).toBeLessThan(2 * Math.log2(2 * PEOPLE));
  index.setItems([...many.slice(1), { id: 0, name: "Zoë Ångström" }]);
  expect(index.readCount).toBe(PEOPLE + 1);
  expect(index.find("zoe ang")).toEqual([0]);
  expect(index.find("first0 last0")).toEqual([]);
});

test("does not read names again that were read ahead", () => {
  const index = new NameIndex();
  const results = [1, 2, 3].map(() => index.readSome(many, PEOPLE / 2));
  expect([results, index.readCount]).toEqual([[false, false, true], PEOPLE]);
  index.setItems(many.slice(1));
  expect(index.readCount).toBe(PEOPLE);
  expect([index.find("first0 last0"), index.find("last7777")]).toEqual([[], [7777]]);
});

test("reads names in parts once, with the same result as at once", () => {
  const index = new NameIndex();
  let input = 0;
  const walk = function* (all: typeof many) {
    for (const item of all) {
      input++;
      yield item;
    }
  };
  let batchCount = 1;
  for (; !index.readSome(walk(many), 400); batchCount++) {
    // A search during indexing completes the index.
    if (batchCount === 7) expect(index.find("last7").length).toBeGreaterThan(100);
  }
  expect([input, index.readCount, batchCount]).toEqual([PEOPLE, PEOPLE, PEOPLE / 400 + 1]);
  // Half of the users get another name and one is removed during the next reading.
  const others = many
    .slice(1)
    .map((item) => (item.id % 2 ? { ...item, name: `Odd${item.id}` } : item));
  index.readSome(others, 400);
  index.readAgain();
  while (!index.readSome(others, 400));
  const atOnce = new NameIndex();
  atOnce.setItems(others);
  const sorted = (ids: number[]) => ids.sort((a, b) => a - b);
  for (const query of ["odd77", "first1 last9", "last0", "first0 last0", "last77", "odd1 first"])
    expect(sorted(index.find(query))).toEqual(sorted(atOnce.find(query)));
  expect(index.find("first0 last0")).not.toContain(0);
});

test("finds names by prefixes of any words, in any order", () => {
  const index = new NameIndex();
  index.setItems([
    { id: 1, name: "Mara Lind" },
    { id: 2, name: "Linda Marsh" },
    { id: 3, name: "Jean-Luc O'Brien" },
  ]);
  expect(index.find("li ma").sort()).toEqual([1, 2]);
  expect(index.find("luc")).toEqual([3]);
  expect(index.find("brien")).toEqual([3]);
  expect(index.find("ara")).toEqual([]);
});

test("selects the first few without sorting all", () => {
  const numbers = [5, 1, 9, 3, 7];
  expect(firstBy(numbers, 3, (a, b) => a > b)).toEqual([9, 7, 5]);
  expect(firstBy([], 3, (a, b) => a > b)).toEqual([]);
});

const group = (id: number, name: string, members: number[], isSystem = false) => ({
  id,
  name,
  members,
  direct_subgroup_ids: [],
  is_system_group: isSystem,
  deactivated: false,
  can_mention_group: 1,
});

const base = { user_id: 1, max_message_id: 100, user_settings: {} };

/** A state with the users Ada (the current one), Bo, Cy and Dee, and #design with all but Dee. */
function createState(): State {
  const names = ["Ada", "Bo Ma", "Cy Ma", "Dee Ma", "Bo Ma"];
  return hydrate(
    snapshotOf({
      ...base,
      realm_users: names.map((full_name, index) => ({
        user_id: index + 1,
        full_name,
        is_bot: false,
      })),
      realm_user_groups: [
        group(1, "role:everyone", [1, 2, 3, 4], true),
        group(2, "makers", [1, 2, 4]),
      ],
      subscriptions: [
        { stream_id: 5, name: "design", subscribers: [1, 2, 3], subscriber_count: 30 },
        { stream_id: 6, name: "secret", invite_only: true, subscribers: [1], subscriber_count: 1 },
      ],
      recent_private_conversations: [{ user_ids: [4], max_message_id: 90 }],
    }),
  );
}

const conversation = { stream_id: 5, topic: "logo" };
const messageBy = (id: number, sender_id: number, subject: string) => ({
  id,
  sender_id,
  subject,
  stream_id: 5,
  timestamp: id,
  type: "stream" as const,
});

function suggestionsFor(state: State, query: string) {
  const trigger = { kind: "person", query, start: 0 } as const;
  const [unread, read] = [new Suggester(), new Suggester()];
  while (!read.readSome(state));
  const suggestions = read.suggest(trigger, state, conversation, undefined);
  // The same users are found before their names are read.
  expect(unread.suggest(trigger, state, conversation, undefined)).toEqual(suggestions);
  return suggestions;
}

test("ranks users of the topic first, then of the channel, members, and groups", () => {
  const state = createState();
  const suggestedPeople = () =>
    suggestionsFor(state, "ma").flatMap((suggestion) =>
      "person" in suggestion ? suggestion.person.user_id : [],
    );
  expect(suggestedPeople()).toEqual([2, 3, 4, 5]);
  state.messages.byId.set(10, messageBy(10, 3, "logo") as never);
  state.messages.byId.set(11, messageBy(11, 4, "other") as never);
  expect(suggestedPeople()).toEqual([3, 4, 2, 5]);
  // A user who has just written in the topic is suggested first.
  state.messages.byId.set(12, messageBy(12, 1, "logo") as never);
  const all = suggestionsFor(state, "").flatMap((suggestion) =>
    "person" in suggestion ? suggestion.person.user_id : [],
  );
  expect(all).toEqual([3, 4, 2, 1, 5]);
  const kinds = suggestionsFor(state, "ma").map(({ kind }) => kind);
  expect(kinds).toEqual(["person", "person", "person", "person", "group"]);
  expect(suggestionsFor(state, "ma").at(-1)).toMatchObject({
    name: "makers",
    count: 3,
    notified: 1,
  });
});

test("skips other users when the nearest ones suffice, in the same order", () => {
  const count = 400;
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const state = hydrate(
    snapshotOf({
      ...base,
      realm_users: ids.map((id) => ({ user_id: id, full_name: `Ann ${id}`, is_bot: id % 7 === 0 })),
      subscriptions: [{ stream_id: 5, name: "design", subscribers: ids.slice(0, 12) }],
    }),
  );
  for (const [id, sender] of [300, 5, 1, 311, 7].entries())
    state.messages.byId.set(id + 1, messageBy(id + 1, sender, id % 2 ? "other" : "logo") as never);
  const reader = new Suggester();
  while (!reader.readSome(state));
  reader.people.examinedCount = 0;
  const findPeople = (query: string) =>
    reader.peopleBy(query, state, conversation).map((item) => item.user_id);
  const nearIds = [7, 300, 311, 5, 2, 3, 4, 6];
  expect([findPeople(""), findPeople("ann")]).toEqual([nearIds, nearIds]);
  expect(reader.people.examinedCount).toBe(0);
  // Too few users nearby have this name, so all users are searched.
  expect(findPeople("31")).toEqual([311, 31, 310, 312, 313, 314, 316, 317]);
});

test("distinguishes equal names by id, and puts everyone last", () => {
  const state = createState();
  const puts = suggestionsFor(state, "bo").map(({ insertion: put }) => put);
  expect(puts).toEqual(["@**Bo Ma|2** ", "@**Bo Ma|5** "]);
  expect(suggestionsFor(state, "c").map(({ insertion: put }) => put)).toEqual([
    "@**Cy Ma** ",
    "@**channel** ",
  ]);
});

test("warns of whom a mention notifies and who cannot see the message", () => {
  const state = createState();
  expect(
    noticesOf("@**all** @**Dee Ma** @**Cy Ma** #**secret>plan**", conversation, state),
  ).toEqual([
    { kind: "many", name: "all", count: 29 },
    { kind: "outside", user_id: 4, name: "Dee Ma", isUnseen: false, canAdd: false },
    { kind: "hidden", name: "secret" },
  ]);
  expect(noticesOf("@_**Dee Ma** #**design**", conversation, state)).toEqual([]);
  const unexpected = [{ kind: "slash", name: "/pol" }];
  expect(noticesOf("/pol Lunch?", conversation, state)).toEqual(unexpected as never);
  // The text is a command, may still become one, or is a path.
  for (const text of ["/pol", "/night", "/etc/hosts is it", "/me waves", "/ or", "a /pol x"]) {
    expect(noticesOf(text, conversation, state)).toEqual([]);
  }
});

test("offers to add a mentioned user only to users who may add one", () => {
  const state = createState();
  state.organization.fields.realm_can_add_subscribers_group = 1;
  personOf(state.people, 1)!.role = 400;
  const firstNotice = (to = conversation) => noticesOf("@**Dee Ma**", to, state)[0];
  expect(firstNotice()).toMatchObject({ canAdd: true, isUnseen: false });
  personOf(state.people, 4)!.is_guest = true;
  expect(firstNotice()).toMatchObject({ canAdd: true, isUnseen: true });
  expect(firstNotice({ stream_id: 6, topic: "plan" })).toMatchObject({
    canAdd: true,
    isUnseen: true,
  });
  state.organization.fields.realm_can_add_subscribers_group = 2;
  state.groups.groups.get(2)!.members = [2];
  expect(firstNotice()).toMatchObject({ canAdd: false });
  state.organization.fields.realm_can_add_subscribers_group = 1;
  expect(firstNotice()).toMatchObject({ canAdd: true });
  personOf(state.people, 1)!.role = 600;
  expect(firstNotice()).toMatchObject({ canAdd: false });
});

test("does not warn about mentions in quotes or code", () => {
  const state = createState();
  const noticeKinds = (text: string) =>
    noticesOf(text, conversation, state).map(({ kind }) => kind);
  for (const fence of ["```", "```quote", "~~~~js"]) {
    const end = fence.replace(/\w/g, "");
    expect(noticeKinds(`${fence}\n@**Dee Ma** #**secret**\n${end}\nhi`)).toEqual([]);
    expect(noticeKinds(`${fence}\nhi\n${end}\n@**Dee Ma**`)).toEqual(["outside"]);
  }
  expect(noticeKinds("> @**Dee Ma**\nso `@**Dee Ma**` #**design**")).toEqual([]);
  expect(noticeKinds("```spoiler @\n@**Dee Ma**\n```")).toEqual(["outside"]);
});

test("counts the readers of a private channel through its groups", () => {
  const state = createState();
  const channel = state.channels.channels.get(5)!;
  const secret = [...state.channels.channels.values()].find(({ row }) => row.name === "secret")!;
  const isWarned = () => noticesOf("#**secret**", conversation, state).length > 0;
  channel.row.invite_only = true;
  secret.subscribers = new Set(channel.subscribers);
  expect(isWarned()).toBe(false);
  secret.subscribers.delete(2);
  expect(isWarned()).toBe(true);
  secret.subscribers.add(2);
  channel.row.invite_only = false;
  expect(isWarned()).toBe(true);
});

test("warns when writing to a guest, unless that is disabled", () => {
  const state = createState();
  personOf(state.people, 4)!.is_guest = true;
  const asGuests = [{ kind: "guests", names: ["Dee Ma"] }];
  expect(noticesOf("", { user_ids: [3, 4] }, state)).toEqual(asGuests as never);
  expect(noticesOf("", { user_ids: [3] }, state)).toEqual([]);
  expect(noticesOf("", conversation, state)).toEqual([]);
  state.organization.fields["realm_enable_guest_user_dm_warning"] = false;
  expect(noticesOf("", { user_ids: [4] }, state)).toEqual([]);
  delete state.organization.fields["realm_enable_guest_user_dm_warning"];
  state.people.own["is_guest"] = true;
  expect(noticesOf("", { user_ids: [4] }, state)).toEqual([]);
});

test("offers no direct messages to unknown users without a conversation", () => {
  const state = createState();
  const refusalReason = (...user_ids: number[]) => reasonAgainst({ user_ids }, state)?.textKey;
  expect([refusalReason(3), refusalReason(9), refusalReason(3, 9)]).toEqual([
    undefined,
    "no-such-conversation",
    "no-such-conversation",
  ]);
  state.people.active.delete(4);
  expect(refusalReason(4)).toBeUndefined();
});

test("a channel's topic policy overrides the organization's", () => {
  const fields = snapshotOf({ realm_topics_policy: "disable_empty_topic" });
  expect(topicsPolicy({ topics_policy: "inherit" }, fields)).toBe("disable_empty_topic");
  expect(topicsPolicy({ topics_policy: "empty_topic_only" }, fields)).toBe("empty_topic_only");
});

test("counts recent senders of a topic again after a message moved there", () => {
  const state = createState();
  for (const id of [1, 2]) state.messages.byId.set(id, messageBy(id, id + 1, "logo") as never);
  const sendersOf = (topic: string) => [...recencyIn(state, { stream_id: 5, topic }).topic.keys()];
  expect(sendersOf("logo")).toEqual([2, 3]);
  reduce(state, [
    {
      ...({ type: "update_message", id: 9, user_id: 1, rendering_only: false, flags: [] } as const),
      ...{ message_id: 2, message_ids: [2], stream_id: 5, edit_timestamp: 9, topic_links: [] },
      ...{ orig_subject: "logo", subject: "fonts", propagate_mode: "change_one" },
    },
  ]);
  expect(sendersOf("logo")).toEqual([2]);
});

test("counts recent correspondents again after a conversation was loaded", () => {
  const state = createState();
  const directRecency = () => [...recencyIn(state, undefined).direct.keys()];
  const before = directRecency();
  expect(before).not.toContain(9);
  state.conversations.conversations.set("9", { user_ids: [9], max_message_id: 1 });
  expect(directRecency()).toEqual([...before, 9]);
});
