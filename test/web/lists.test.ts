// The order of lists, computed from the state: sidebar, inbox, next unread and searches.
import { expect, test } from "bun:test";
import { inboxItems } from "../../src/web/features/inbox/rows.ts";
import { plainLine, previewLine } from "../../src/web/features/messages/preview-selectors.ts";
import { stableOrder } from "../../src/web/features/lists/stable-order.ts";
import { sidebarSections, sidebarTopics } from "../../src/web/features/sidebar/selectors.ts";
import {
  lastToken,
  queryOf,
  termsOf,
  withPills,
} from "../../src/web/features/search/query-rules.ts";
import { keysChanged, commandsUsingKey } from "../../src/web/features/shortcuts/keys.ts";
import { unreadAfter } from "../../src/web/features/unread/next-selectors.ts";
import { matchesWords } from "../../src/web/matching.ts";
import { hydrate, reduce } from "../../src/web/store/state.ts";
import { offsetsOf, rangeAt } from "../../src/web/ui/list/virtual.ts";
import { snapshotOf } from "./snapshot-of.ts";

const channel = (stream_id: number, name: string, extra = {}) => {
  return { stream_id, name, folder_id: null, is_recently_active: true, color: "#123456", ...extra };
};

const state = (extra: Parameters<typeof snapshotOf>[0] = {}) =>
  hydrate(
    snapshotOf({
      user_id: 1,
      realm_users: [
        { user_id: 1, full_name: "Ada" },
        { user_id: 2, full_name: "Bo Ruiz" },
      ],
      subscriptions: [
        channel(1, "general"),
        channel(2, "release", { pin_to_top: true }),
        channel(3, "alarms", { folder_id: 9 }),
        channel(4, "build log", { is_muted: true }),
      ],
      channel_folders: [{ id: 9, name: "Field", order: 0, is_archived: false }],
      user_topics: [{ stream_id: 1, topic_name: "soup", last_updated: 0, visibility_policy: 3 }],
      recent_private_conversations: [{ user_ids: [2], max_message_id: 60 }],
      unread_msgs: {
        streams: [
          { stream_id: 1, topic: "soup", unread_message_ids: [10] },
          { stream_id: 1, topic: "bread", unread_message_ids: [50] },
          { stream_id: 2, topic: "checklist", unread_message_ids: [20, 21] },
          { stream_id: 2, topic: "called", unread_message_ids: [5] },
          { stream_id: 3, topic: "frost", unread_message_ids: [40] },
          { stream_id: 4, topic: "noise", unread_message_ids: [45] },
        ],
        pms: [{ other_user_id: 2, unread_message_ids: [60] }],
        mentions: [5],
      },
      ...extra,
    }),
  );

const ORDER = [2, 3, 1, 4];
const nextUnread = (kind: "topic" | "followed" | "direct", openTopic?: [number, string]) =>
  unreadAfter(
    state(),
    kind,
    ORDER,
    openTopic && { key: openTopic.join("/"), stream_id: openTopic[0], topic: openTopic[1] },
  ).map(({ topic, user_ids }) => topic || user_ids.join());

test("the next unread is in followed topics, then mentions, in sidebar order", () => {
  expect(nextUnread("topic")).toEqual(["soup", "called", "checklist", "frost", "bread"]);
  expect(nextUnread("followed")).toEqual(["soup"]);
  expect(nextUnread("direct")).toEqual(["2"]);
});

test("counts the next unread from the current place, and wraps once", () => {
  expect(nextUnread("topic", [2, "called"])).toEqual(["checklist", "frost", "bread", "soup"]);
  expect(nextUnread("topic", [3, "read"])).toEqual([
    "bread",
    "soup",
    "called",
    "checklist",
    "frost",
  ]);
});

test("orders the sidebar by pinned, folders, others, and muted last", () => {
  const sections = sidebarSections(state()).map(({ key, channels }) => {
    return [key, ...channels.map(({ row }) => row.name)];
  });
  expect(sections).toEqual([
    ["pinned", "release"],
    ["folder/9", "alarms"],
    ["channels", "general", "build log"],
  ]);
  const user_settings = { web_left_sidebar_show_channel_folders: false };
  const plain = sidebarSections(state({ user_settings }));
  expect(plain.map(({ key }) => key)).toEqual(["pinned", "channels"]);
  expect(plain[1]!.channels.map(({ row }) => row.name)).toContain("alarms");
});

test("moves inactive channels down if there are at least thirty", () => {
  const firstOf = (count: number) => {
    const quiet = channel(99, "a quiet one", { is_recently_active: false });
    const busy = Array.from({ length: count - 1 }, (_, index) =>
      channel(index + 1, `busy ${index}`),
    );
    const knownState = state({
      subscriptions: [quiet, ...busy],
      user_settings: { demote_inactive_streams: 1 },
    });
    return sidebarSections(knownState).at(-1)!.channels[0]!.row.name;
  };
  expect(firstOf(29)).toBe("a quiet one");
  expect(firstOf(30)).toBe("busy 0");
});

test("shows the current topic, unread ones, and six read ones of a channel", () => {
  const knownState = state();
  const list = Array.from(
    { length: 30 },
    (_, index) => [`old ${index}`, { name: `old ${index}`, max_id: index }] as const,
  );
  knownState.topics.byChannel.set(1, new Map(list));
  expect(sidebarTopics(knownState, 1, "old 3")).toEqual([
    "bread",
    "old 29",
    "old 28",
    "old 27",
    "old 26",
    "old 25",
    "old 24",
    "soup",
    "old 3",
  ]);
});

test("keeps rows in place while the pointer is over them", () => {
  expect(stableOrder(["a", "b", "c"], ["c", "a", "d", "b"])).toEqual(["a", "d", "b", "c"]);
  expect(stableOrder(["a", "b", "c"], ["x", "c", "a"])).toEqual(["x", "a", "c"]);
});

test("the inbox keeps the focused row, collapses, filters and searches", () => {
  const knownState = state();
  const inboxKeys = (extra: object) =>
    inboxItems(knownState, {
      filter: "unmuted",
      text: "",
      folded: new Set(),
      retained: undefined,
      before: [],
      ...extra,
    }).map(({ key }) => key);
  expect(inboxKeys({})).toEqual([
    "directs",
    "dm/2",
    "channel/2",
    "2/called",
    "2/checklist",
    "folder/9",
    "channel/3",
    "3/frost",
    "folder/0",
    "channel/1",
    "1/bread",
    "1/soup",
  ]);
  expect(inboxKeys({ folded: new Set(["folder/9", "channel/1"]) }).slice(-3)).toEqual([
    "folder/9",
    "folder/0",
    "channel/1",
  ]);
  const { settings } = knownState.settings;
  knownState.settings.settings = { ...settings, web_inbox_show_channel_folders: false };
  expect(inboxKeys({}).slice(-5)).toEqual([
    "channel/1",
    "1/bread",
    "1/soup",
    "channel/3",
    "3/frost",
  ]);
  knownState.settings.settings = settings;
  expect(inboxKeys({ filter: "followed" })).toEqual(["channel/1", "1/soup"]);
  expect(inboxKeys({ filter: "all", text: "noi" })).toEqual(["channel/4", "4/noise"]);
  expect(inboxKeys({ text: "ruiz" })).toEqual(["directs", "dm/2"]);
  expect(inboxKeys({ folded: new Set(["channel/2"]), text: "c" })).toEqual(["channel/2"]);
  const retained = knownState.unread.conversations.get("3/frost");
  knownState.unread.conversations.delete("3/frost");
  expect(inboxKeys({ retained })).toContain("3/frost");
});

test("a filter finds word prefixes", () => {
  expect(matchesWords("wre tom", "Tomás Wren")).toBe(true);
  expect(matchesWords("ren", "Tomás Wren")).toBe(false);
  // Each word of the filter must match a different word of the name.
  expect(matchesWords("tom t", "Tomás Wren")).toBe(false);
  expect(matchesWords("tom t", "Tomás Tuck")).toBe(true);
  expect(matchesWords("a an", "Ana Abel")).toBe(true);
});

const directory = {
  me: 1,
  channel: (name: string) => (name.toLowerCase() === "release" ? 2 : undefined),
  person: (name: string) => (name === "Bo Ruiz" ? 7 : undefined),
  topic: () => true,
  date: () => undefined,
};

test("turns terms into tokens at a space, and keeps other text", () => {
  const terms = withPills('from:me -is:read in:release from:"Bo Ruiz" is:starred musl ', directory);
  expect(terms.searchText).toBe("-is:read musl ");
  expect(terms.pills.map(({ operator, operand }) => `${operator} ${operand}`)).toEqual([
    "sender 1",
    "channel 2",
    "sender 7",
    "is starred",
  ]);
  const withs = withPills('with:12 with:"Bo Ruiz" ', directory).pills;
  expect(withs.map(({ operator, operand }) => `${operator} ${operand}`)).toEqual([
    "with 12",
    "dm 7",
  ]);
  expect(withPills("half:way https://a.b x:", directory).pills).toEqual([]);
  expect(lastToken('musl from:"Bo Ru')).toEqual({ before: "musl ", token: 'from:"Bo Ru' });
});

test("converts a URL to tokens and words, and back", () => {
  const terms = [
    { operator: "sender", operand: "7", negated: true },
    { operator: "search", operand: "musl libc", negated: false },
  ];
  expect(queryOf(terms)).toEqual({ pills: [terms[0]!], text: "musl libc" });
  expect(termsOf(queryOf(terms))).toEqual(terms);
});

test("shows a message in one line as text, never as HTML", () => {
  const html = [
    '<p>Two &lt;b&gt; <span class="emoji emoji-1f389" title="tada">:tada:</span></p>',
    "<ul><li>one</li><li>two</li></ul>",
  ].join("\n");
  expect(plainLine(html)).toBe("Two <b> 🎉 one two");
  const emoji = (code: string) => `<span class="emoji emoji-${code}" title="x">:x:</span>`;
  // The variation selector requests the colored form.
  expect(plainLine(`<p>${emoji("2764")}${emoji("1f469-200d-1f4bb")}</p>`)).toBe("❤\ufe0f👩‍💻");
  const custom = '<img alt=":dance:" class="emoji" src="/x.png" title="dance">';
  expect(plainLine(`<p>a ${custom}</p>`)).toBe("a :dance:");
  const spoiler = (title: string, content: string) =>
    `<div class="spoiler-block"><div class="spoiler-header">\n${title}</div>` +
    `<div class="spoiler-content" aria-hidden="true">\n${content}</div></div>`;
  const code = '<div class="codehilite"><pre>code</pre></div>';
  const inner = `${code}${spoiler("<p>B</p>", "<p>c</p>")}<p>d</p>`;
  expect(plainLine(`<p>a</p>${spoiler("<p>A</p>", inner)}\n<p>e</p>`)).toBe("a A … e");
  expect(plainLine(`${spoiler("", "<p>b</p>")}${spoiler("", "")}`)).toBe("… …");
  expect(plainLine('<p>a</p><div class="spoiler-content"><div>b')).toBe("a …");
  expect(plainLine("<p>it is &#39;so&#39; &amp;lt;</p>")).toBe("it is 'so' &lt;");
  expect(previewLine("<p>/poll Lunch?<br>\nSoup</p>")).toBe("Lunch? Soup");
  expect(previewLine("<p>/me waves</p>")).toBe("waves");
  expect(previewLine("<p>/meadow /me</p>")).toBe("/meadow /me");
});

test("renders a few screens of ten thousand rows", () => {
  const items = Array.from({ length: 10_000 }, (_, index) => ({ isHead: index % 100 === 0 }));
  const offsets = offsetsOf(items, { head: 46, row: 57 });
  expect(offsets.at(-1)).toBe(100 * 46 + 9900 * 57);
  for (const top of [0, 250_000, 600_000]) {
    const { start, end } = rangeAt(offsets, { top, height: 800 });
    expect(end - start).toBeLessThan(60);
    expect(offsets[start]!).toBeLessThanOrEqual(Math.min(top, offsets.at(-1)!));
  }
});

test("distinguishes a key assigned to a command from one in use", () => {
  const commands = [
    { id: "a", textKey: "inbox", keys: ["x"], run() {} },
    { id: "b", textKey: "recent", keys: ["y"], run() {} },
  ] as const;
  expect(commandsUsingKey(commands, commands[0], "y")?.id).toBe("b");
  expect(commandsUsingKey(commands, commands[0], "x")).toBeUndefined();
  expect(keysChanged({ a: ["z"] }, commands[0], undefined)).toEqual({});
});

test("renders the topic settings again when the policy of a topic changes", () => {
  const event = { type: "user_topic", id: 1, stream_id: 1, topic_name: "bread" } as const;
  const changed = reduce(state(), [{ ...event, last_updated: 1, visibility_policy: 1 }]);
  expect([...changed]).toContain("user_topic");
});
