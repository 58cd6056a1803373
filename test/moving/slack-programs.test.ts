// Slack exports of Enterprise Grid organizations and of other programs, and the data of profiles.
import { expect, test } from "bun:test";
import { type Json, type TestServer } from "../test-server.ts";
import { striped } from "../features/upload-fixture.ts";
import { lossesOf, messagesTo, openServer, run, zipIn } from "./import-fixture.ts";
import { BO, OLGA, START, ts, USERS } from "./slack-fixture.ts";
import type { ZipEntry } from "./zip.ts";

const json = (name: string, value: unknown): ZipEntry => ({ name, bytes: JSON.stringify(value) });

const post = (seconds: number, text: string, more: Json = {}) => ({
  ...{ type: "message", user: BO, text, ts: ts(seconds), ...more },
});

interface Lists {
  readonly users?: readonly object[];
  readonly channel?: object;
  readonly more?: readonly ZipEntry[];
}

/** An export with a single channel, whose messages are `rows`. */
const entriesOf = (rows: readonly Json[], { users = USERS, channel, more = [] }: Lists = {}) => [
  json("users.json", users),
  json("channels.json", [{ id: "C0ODD", name: "odd", members: [OLGA, BO], ...channel }]),
  json("odd/2018-01-20.json", rows),
  ...more,
];

async function imported(testServer: TestServer, entries: readonly ZipEntry[]) {
  const report = await run(testServer, zipIn(testServer, entries));
  expect(report).toMatchObject({ outcome: "imported", faults: [] });
  return { report, messages: await messagesTo(testServer, "olga", "Slack") };
}

const topicAndText = ({ subject, content }: Json) => [subject.replace("general chat", ""), content];

test("keeps a thread together whose replies are not counted", async () => {
  const thread = { thread_ts: ts(1) };
  const rows = [
    post(0, "alone", { thread_ts: "" }),
    post(1, "Lunch?", thread),
    post(2, "yes", thread),
    post(3, "no", { ...thread, subtype: "thread_broadcast", root: { text: "Lunch?" } }),
    // A program's clock may be wrong: this reply is older than the thread's first message.
    post(4, "early", { thread_ts: ts(5) }),
    post(5, "Dinner?", { thread_ts: ts(5) }),
  ];
  const { messages } = await imported(await openServer(), entriesOf(rows));
  expect(messages.map(topicAndText)).toEqual([
    ["", "alone"],
    ...["Lunch?", "yes", "no"].map((text) => ["Lunch?", text]),
    ...["early", "Dinner?"].map((text) => ["Thread of 20 Jan 2018", text]),
  ]);
});

test("attributes messages of bots to the users that are these bots", async () => {
  const testServer = await openServer();
  const bot = { id: "U0BOT", name: "deploybot", is_bot: true, profile: { bot_id: "B0DEPLOY" } };
  const slackbot = { id: "USLACKBOT", name: "slackbot", is_bot: false, profile: {} };
  const ofBot = { user: undefined, bot_id: "B0DEPLOY", subtype: "bot_message" };
  const { messages, report } = await imported(
    testServer,
    entriesOf(
      [
        post(1, "a", ofBot),
        post(2, "b", { ...ofBot, user: "" }),
        post(3, "c", { ...ofBot, username: "Deployer (prod)" }),
        post(4, "d", { user: "USLACKBOT" }),
      ],
      { users: [...USERS, bot, slackbot] },
    ),
  );
  expect(messages.map((message) => message["sender_full_name"])).toEqual([
    ...["deploybot", "deploybot", "Deployer (prod)", "slackbot"],
  ]);
  const { bot_type } = testServer.realm.read.users.get(messages[3]!["sender_id"])!;
  expect(bot_type).toBe(1);
  const placeholders = report.losses.find(({ kind }) => kind.startsWith("A user has no address"));
  expect(placeholders?.count).toBe(1);
});

test("imports files of shared messages, and links to files of other services", async () => {
  const testServer = await openServer();
  const shared = { text: "the plan", author_name: "Olga", is_share: true, from_url: "https://x.y" };
  const drive = { mode: "external", url_private: "https://drive.example/1", title: "Budget" };
  const { messages, report } = await imported(
    testServer,
    entriesOf(
      [
        post(1, "", { attachments: [{ ...shared, files: [{ id: "F0A", name: "plan.txt" }] }] }),
        post(2, "", { files: [{ id: "F0B", ...drive }] }),
        post(3, "", { files: [{ id: "F0C", ...drive, url_private: "javascript:1" }] }),
      ],
      { more: [{ name: "__uploads/F0A/plan.txt", bytes: "all is well" }] },
    ),
  );
  expect(messages.map(({ content }) => content)).toEqual([
    expect.stringMatching(/^````quote\nOlga\nthe plan\n````\n\[plan.txt\]\(\/user_uploads\//),
    "[Budget](https://drive.example/1)",
    "`Budget` (file, not available)",
  ]);
  expect(lossesOf(report)).toContain(
    "The content of a file is not in the export: only its name is imported.",
  );
});

test("reads users of an Enterprise Grid organization, with pictures and time zones", async () => {
  const testServer = await openServer();
  const zoned = { id: "W0ANN", name: "ann", tz: "Europe/Berlin" };
  const hash = "0a1b2c3d4e5f";
  const users = [
    { ...zoned, profile: { email: "ann@example.com", avatar_hash: hash, title: "Boss" } },
    { id: "W0BEN", tz: "Mars/Base", profile: { email: "ben@example.com", avatar_hash: hash } },
    { id: "W0CAT", name: "cat", profile: { email: "cat@example.com", avatar_hash: "gfedcba" } },
    { ...USERS[0], name: "Not used" },
  ];
  const { report } = await imported(
    testServer,
    entriesOf([post(1, "a")], {
      more: [
        json("org_users.json", users),
        { name: "__avatars/W0ANN/ann_original.png", bytes: striped(60, 60) },
      ],
    }),
  );
  const { read } = testServer.realm;
  const stored = ["ann", "ben", "cat"].map((name) =>
    read.users.findBy("email", `${name}@example.com`),
  );
  const sources = stored.map((user) => [user?.avatar_source, user?.settings.timezone]);
  const [, [initial] = []] = sources;
  expect(sources).toEqual([
    ["U", "Europe/Berlin"],
    ...[initial, initial].map((source) => [source, undefined]),
  ]);
  const placesOf = (kind: string) => report.losses.find((loss) => loss.kind === kind)?.examples;
  expect(placesOf("The picture of a user is not in the export.")).toEqual(["org_users.json#2"]);
  const details = "The title, phone number, status or other fields of a profile are left out.";
  expect(placesOf(details)).toEqual(["org_users.json#1"]);
});

test("names user groups by the list of the API and by other mentions", async () => {
  const element = (usergroup_id: string) => ({ type: "usergroup", usergroup_id });
  const rich = (...elements: object[]) => ({
    blocks: [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }],
  });
  const rows = [
    post(1, "<!subteam^S0LIST> <!subteam^S0LABEL> <!subteam^S0NONE>"),
    post(2, "<!subteam^S0LABEL|@crew>"),
    post(3, "<!subteam^S0LABEL>", rich(element("S0LABEL"), element("S0LIST"))),
    post(4, "", rich(element("S0NONE"))),
  ];
  const groups = [{ id: "S0LIST", handle: "team", name: "The team" }];
  for (const list of [groups, { ok: true, usergroups: groups }]) {
    const more = [json("usergroups.json", list)];
    const { messages, report } = await imported(await openServer(), entriesOf(rows, { more }));
    expect(messages.map(({ content }) => content)).toEqual([
      ...["@team @user-group @user-group", "@crew", "@crew@team", "@user-group"],
    ]);
    const [loss] = report.losses.filter(({ kind }) => kind.includes("user group"));
    expect(loss).toMatchObject({
      count: 2,
      examples: ["odd/2018-01-20.json#1", "odd/2018-01-20.json#4"],
    });
  }
});

test("reports reactions without a user, and parts of messages that are not shown", async () => {
  const actions = (...elements: object[]) => ({ type: "actions", elements });
  const button = { type: "button", text: { type: "plain_text", text: "Open" } };
  const { messages, report } = await imported(
    await openServer(),
    entriesOf([
      post(1, "liked", { reactions: [{ name: "+1", users: [OLGA], count: 3 }] }),
      post(2, "poll", {
        blocks: [
          actions(button),
          { type: "call" },
          { type: "rich_text", elements: [{ type: "x" }] },
        ],
      }),
      post(3, "", { blocks: [actions({ ...button, url: "https://a.example/" })] }),
    ]),
  );
  expect(messages.map(({ content }) => content)).toEqual([
    ...["liked", "poll", "[Open](https://a.example/)"],
  ]);
  const counts = new Map(report.losses.map(({ kind, count }) => [kind, count]));
  expect(counts.get("The export counts a reaction of a user whom it does not name.")).toBe(2);
  for (const kind of ["button", "call", "x"]) {
    expect(counts.get(`A part of an app's message is left out: ${kind}.`), kind).toBe(1);
  }
});

test("reads the creation time of a channel that is text", async () => {
  const testServer = await openServer();
  await imported(testServer, entriesOf([post(1, "a")], { channel: { created: String(START) } }));
  const channels = [...testServer.realm.read.channels.range()];
  expect(channels.find(({ name }) => name === "odd")?.date_created).toBe(START);
});

test("reports channels that nobody can read, and an export without addresses", async () => {
  const testServer = await openServer();
  const users = USERS.map(({ id, name }) => ({ id, name, profile: {} }));
  const groups = [OLGA, "U0ABSENT"].map((member, index) => {
    return { id: `G0HIDDEN${index}`, name: `hidden ${index}`, members: [member] };
  });
  const rows = [
    post(1, "hi <@U0ABSENT|gabi> and <@U0NAMELESS>, see <#C0ODD>, <#C0GONE|lost>, <#C0GONE>"),
  ];
  const entries = (listed: readonly object[]) =>
    entriesOf(rows, { users: listed, more: [json("groups.json", groups)] });
  const without = await run(testServer, zipIn(testServer, entries(users)));
  const noAddress =
    "No user of the archive has an address, so none can sign in: give addresses, as with --people.";
  const lossText = "A private channel has no member with an account.";
  expect(lossesOf(without)).toEqual(expect.arrayContaining([noAddress, lossText]));
  const { report, messages } = await imported(await openServer(), entries(USERS));
  expect(lossesOf(report)).not.toContain(noAddress);
  expect(report.losses.find(({ kind }) => kind === lossText)?.examples).toEqual(["#hidden 1"]);
  expect(messages[0]!["content"]).toBe("hi @gabi and @U0NAMELESS, see #**odd**, #lost, #C0GONE");
  const absent = report.losses.find(({ kind }) => kind.startsWith("A link names a channel"));
  expect(absent).toMatchObject({ count: 1, examples: ["C0GONE"] });
});

const botPost = (seconds: number, text: string, username?: string) => {
  const bot = { subtype: "bot_message", bot_id: "B0HOOK", ...(username && { username }) };
  return { ...bot, type: "message", text, ts: ts(seconds) };
};

test("gives each name of a webhook an account, also in later exports", async () => {
  const testServer = await openServer();
  const rows = [botPost(1, "a", "deploy"), botPost(2, "b", "alerts"), botPost(3, "c", "deploy")];
  const { messages } = await imported(testServer, entriesOf(rows));
  const sendersOf = (list: Json[]) =>
    list.map(({ sender_full_name: name, content }) => [content, name]);
  const first = [
    ["a", "deploy"],
    ["b", "alerts"],
    ["c", "deploy"],
  ];
  expect(sendersOf(messages)).toEqual(first);
  // The account with the key of earlier versions keeps it, whichever name comes first.
  const [mark] = [...testServer.realm.read.imported.range({ from: [1, 1, "B0HOOK"], limit: 1 })];
  expect(testServer.realm.read.users.get(...mark!.row_key)!.full_name).toBe("deploy");
  const users = testServer.realm.read.users.count();
  const later = [botPost(4, "d", "alerts"), botPost(5, "e", "deploy"), botPost(6, "f", "new one")];
  const { messages: all } = await imported(testServer, entriesOf(later));
  expect(sendersOf(all)).toEqual([...first, ["d", "alerts"], ["e", "deploy"], ["f", "new one"]]);
  expect(testServer.realm.read.users.count()).toBe(users + 1);
});
