// Suggestions of users: the likeliest first, without reading all names again.
import { expect, test } from "bun:test";
import { best, NameIndex } from "../../src/web/features/typeahead/people.ts";
import { Suggester } from "../../src/web/features/typeahead/suggest.ts";
import { personOf } from "../../src/web/features/people/state.ts";
import { noticesOf } from "../../src/web/features/compose/notices.ts";
import { hydrate, type State } from "../../src/web/state.ts";
import { reasonAgainst } from "../../src/web/features/target/reasons.ts";
import { topicsPolicy } from "../../src/web/features/target/topics-policy.ts";

const PEOPLE = 10_000;
const many = Array.from({ length: PEOPLE }, (_, at) => ({
  id: at,
  name: `First${at % 977} Last${at}`,
}));

test("among ten thousand people a key costs what it finds, and no name is read twice", () => {
  const index = new NameIndex();
  index.take(many);
  expect(index.read).toBe(PEOPLE);
  expect(index.find("last77").length).toBeGreaterThan(100);
  index.looked = 0;
  expect(index.find("last7777")).toEqual([7777]);
  // A search by halving, and the one that is found.
  expect(index.looked).toBeLessThan(2 * Math.log2(2 * PEOPLE));
  index.take([...many.slice(1), { id: 0, name: "Zoë Ångström" }]);
  expect(index.read).toBe(PEOPLE + 1);
  expect(index.find("zoe ang")).toEqual([0]);
  expect(index.find("first0 last0")).toEqual([]);
});

test("names that are read ahead, some at a time, are not read again", () => {
  const index = new NameIndex();
  const pieces = [1, 2, 3].map(() => index.readSome(many, PEOPLE / 2));
  expect([pieces, index.read]).toEqual([[false, false, true], PEOPLE]);
  index.take(many.slice(1));
  expect(index.read).toBe(PEOPLE);
  expect([index.find("first0 last0"), index.find("last7777")]).toEqual([[], [7777]]);
});

test("names that are read in pieces are walked through once, and found as if read at once", () => {
  const index = new NameIndex();
  let given = 0;
  const walk = function* (all: typeof many) {
    for (const one of all) {
      given++;
      yield one;
    }
  };
  let pieces = 1;
  for (; !index.readSome(walk(many), 400); pieces++) {
    // Who searches in the middle of it leaves the rest to be found.
    if (pieces === 7) expect(index.find("last7").length).toBeGreaterThan(100);
  }
  expect([given, index.read, pieces]).toEqual([PEOPLE, PEOPLE, PEOPLE / 400 + 1]);
  // Half are called otherwise, and one is gone, while the next reading is on its way.
  const others = many.slice(1).map((one) => (one.id % 2 ? { ...one, name: `Odd${one.id}` } : one));
  index.readSome(others, 400);
  index.readAgain();
  while (!index.readSome(others, 400));
  const atOnce = new NameIndex();
  atOnce.take(others);
  const sorted = (found: number[]) => found.sort((a, b) => a - b);
  for (const query of ["odd77", "first1 last9", "last0", "first0 last0", "last77", "odd1 first"])
    expect(sorted(index.find(query))).toEqual(sorted(atOnce.find(query)));
  expect(index.find("first0 last0")).not.toContain(0);
});

test("names are found by the beginnings of any of their words, in any order", () => {
  const index = new NameIndex();
  index.take([
    { id: 1, name: "Mara Lind" },
    { id: 2, name: "Linda Marsh" },
    { id: 3, name: "Jean-Luc O'Brien" },
  ]);
  expect(index.find("li ma").sort()).toEqual([1, 2]);
  expect(index.find("luc")).toEqual([3]);
  expect(index.find("brien")).toEqual([3]);
  expect(index.find("ara")).toEqual([]);
});

test("the first few are chosen without ordering all", () => {
  const numbers = [5, 1, 9, 3, 7];
  expect(best(numbers, 3, (a, b) => a > b)).toEqual([9, 7, 5]);
  expect(best([], 3, (a, b) => a > b)).toEqual([]);
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

/** Ada, who looks; Bo, Cy and Dee; #design with all but Dee in it. */
function fixture(): State {
  const names = ["Ada", "Bo Ma", "Cy Ma", "Dee Ma", "Bo Ma"];
  return hydrate({
    ...base,
    realm_users: names.map((full_name, at) => ({ user_id: at + 1, full_name, is_bot: false })),
    realm_user_groups: [
      group(1, "role:everyone", [1, 2, 3, 4], true),
      group(2, "makers", [1, 2, 4]),
    ],
    subscriptions: [
      { stream_id: 5, name: "design", subscribers: [1, 2, 3], subscriber_count: 30 },
      { stream_id: 6, name: "secret", invite_only: true, subscribers: [1], subscriber_count: 1 },
    ],
    recent_private_conversations: [{ user_ids: [4], max_message_id: 90 }],
  });
}

const place = { stream_id: 5, topic: "logo" };
const wrote = (id: number, sender_id: number, subject: string) => ({
  id,
  sender_id,
  subject,
  stream_id: 5,
  timestamp: id,
  type: "stream" as const,
});

function proposed(state: State, query: string) {
  const trigger = { kind: "person", query, start: 0 } as const;
  const [unread, read] = [new Suggester(), new Suggester()];
  while (!read.readSome(state));
  const found = read.suggest(trigger, state, place, undefined);
  // Names that are still to be read are found all the same.
  expect(unread.suggest(trigger, state, place, undefined)).toEqual(found);
  return found;
}

test("who wrote in the topic comes first, then in the channel, then members, groups next", () => {
  const state = fixture();
  const people = () =>
    proposed(state, "ma").flatMap((one) => ("person" in one ? one.person.user_id : []));
  expect(people()).toEqual([2, 3, 4, 5]);
  state.messages.byId.set(10, wrote(10, 3, "logo") as never);
  state.messages.byId.set(11, wrote(11, 4, "other") as never);
  expect(people()).toEqual([3, 4, 2, 5]);
  // Who has just written here calls another.
  state.messages.byId.set(12, wrote(12, 1, "logo") as never);
  const all = proposed(state, "").flatMap((one) => ("person" in one ? one.person.user_id : []));
  expect(all).toEqual([3, 4, 2, 1, 5]);
  const kinds = proposed(state, "ma").map(({ kind }) => kind);
  expect(kinds).toEqual(["person", "person", "person", "person", "group"]);
  expect(proposed(state, "ma").at(-1)).toMatchObject({ name: "makers", count: 3, notified: 1 });
});

test("where those who are near are enough, nobody else is looked at, in the same order", () => {
  const count = 400;
  const ids = Array.from({ length: count }, (_, at) => at + 1);
  const state = hydrate({
    ...base,
    realm_users: ids.map((id) => ({ user_id: id, full_name: `Ann ${id}`, is_bot: id % 7 === 0 })),
    subscriptions: [{ stream_id: 5, name: "design", subscribers: ids.slice(0, 12) }],
  });
  for (const [id, sender_id] of [300, 5, 1, 311, 7].entries())
    state.messages.byId.set(id + 1, wrote(id + 1, sender_id, id % 2 ? "other" : "logo") as never);
  const reader = new Suggester();
  while (!reader.readSome(state));
  reader.people.looked = 0;
  const found = (query: string) => reader.peopleBy(query, state, place).map((one) => one.user_id);
  const near = [7, 300, 311, 5, 2, 3, 4, 6];
  expect([found(""), found("ann"), reader.people.looked]).toEqual([near, near, 0]);
  // Too few of them are called so.
  expect(found("31")).toEqual([311, 31, 310, 312, 313, 314, 316, 317]);
});

test("two of one name are told apart by their ids, and everyone at once comes last", () => {
  const state = fixture();
  const puts = proposed(state, "bo").map(({ put }) => put);
  expect(puts).toEqual(["@**Bo Ma|2** ", "@**Bo Ma|5** "]);
  expect(proposed(state, "c").map(({ put }) => put)).toEqual(["@**Cy Ma** ", "@**channel** "]);
});

test("one is warned of whom it wakes and of who will not see it", () => {
  const state = fixture();
  expect(noticesOf("@**all** @**Dee Ma** @**Cy Ma** #**secret>plan**", place, state)).toEqual([
    { kind: "many", name: "all", count: 29 },
    { kind: "outside", user_id: 4, name: "Dee Ma" },
    { kind: "hidden", name: "secret" },
  ]);
  expect(noticesOf("@_**Dee Ma** #**design**", place, state)).toEqual([]);
  const strange = [{ kind: "slash", name: "/pol" }];
  expect(noticesOf("/pol Lunch?", place, state)).toEqual(strange as never);
  // It may go on to be one, or is a path.
  for (const text of ["/pol", "/night", "/etc/hosts is it", "/me waves", "/ or", "a /pol x"]) {
    expect(noticesOf(text, place, state)).toEqual([]);
  }
});

test("what is quoted or code wakes nobody, and one is not warned of it", () => {
  const state = fixture();
  const noted = (text: string) => noticesOf(text, place, state).map(({ kind }) => kind);
  for (const fence of ["```", "```quote", "~~~~js"]) {
    const end = fence.replace(/\w/g, "");
    expect(noted(`${fence}\n@**Dee Ma** #**secret**\n${end}\nhi`)).toEqual([]);
    expect(noted(`${fence}\nhi\n${end}\n@**Dee Ma**`)).toEqual(["outside"]);
  }
  expect(noted("> @**Dee Ma**\nso `@**Dee Ma**` #**design**")).toEqual([]);
  expect(noted("```spoiler @\n@**Dee Ma**\n```")).toEqual(["outside"]);
});

test("who reads a private channel may all be in the one that is named there", () => {
  const state = fixture();
  const here = state.channels.channels.get(5)!;
  const secret = [...state.channels.channels.values()].find(({ row }) => row.name === "secret")!;
  const isWarned = () => noticesOf("#**secret**", place, state).length > 0;
  here.row.invite_only = true;
  secret.subscribers = new Set(here.subscribers);
  expect(isWarned()).toBe(false);
  secret.subscribers.delete(2);
  expect(isWarned()).toBe(true);
  secret.subscribers.add(2);
  here.row.invite_only = false;
  expect(isWarned()).toBe(true);
});

test("who writes to a guest is told so, unless they are one or nobody is to be", () => {
  const state = fixture();
  personOf(state.people, 4)!.is_guest = true;
  const asGuests = [{ kind: "guests", names: ["Dee Ma"] }];
  expect(noticesOf("", { user_ids: [3, 4] }, state)).toEqual(asGuests as never);
  expect(noticesOf("", { user_ids: [3] }, state)).toEqual([]);
  expect(noticesOf("", place, state)).toEqual([]);
  state.organization.fields["realm_enable_guest_user_dm_warning"] = false;
  expect(noticesOf("", { user_ids: [4] }, state)).toEqual([]);
  delete state.organization.fields["realm_enable_guest_user_dm_warning"];
  state.people.own["is_guest"] = true;
  expect(noticesOf("", { user_ids: [4] }, state)).toEqual([]);
});

test("to whom nobody knows nothing is written, unless one has written with them", () => {
  const state = fixture();
  const against = (...user_ids: number[]) => reasonAgainst({ user_ids }, state)?.word;
  expect([against(3), against(9), against(3, 9)]).toEqual([
    undefined,
    "not-for-you",
    "not-for-you",
  ]);
  state.people.active.delete(4);
  expect(against(4)).toBeUndefined();
});

test("a channel's own rule for topics goes before the organization's", () => {
  const fields = { realm_topics_policy: "disable_empty_topic" };
  expect(topicsPolicy({ topics_policy: "inherit" }, fields)).toBe("disable_empty_topic");
  expect(topicsPolicy({ topics_policy: "empty_topic_only" }, fields)).toBe("empty_topic_only");
});
