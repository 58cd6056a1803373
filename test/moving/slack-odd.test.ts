// Records of Slack exports that are unusual but valid, and later exports with changed threads.
import { expect, test } from "bun:test";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { channelsOf, messagesTo, openServer, run, zipIn } from "./import-fixture.ts";
import { type Json, type TestServer } from "../test-server.ts";
import { BO, OLGA, slackEntries, ts, USERS } from "./slack-fixture.ts";
import type { ZipEntry } from "./zip.ts";

const post = (seconds: number, text: string, extra: Json = {}) => ({
  ...{ type: "message", user: BO, text, ts: ts(seconds), ...extra },
});

const json = (name: string, value: unknown): ZipEntry => ({ name, bytes: JSON.stringify(value) });

/** An export with a single channel, whose messages are `rows`. */
const entriesOf = (rows: readonly Json[], extra: readonly ZipEntry[] = []): ZipEntry[] => [
  json("users.json", USERS),
  json("channels.json", [{ id: "C0ODD", name: "odd", members: [OLGA, BO] }]),
  json("odd/2018-01-20.json", rows),
  ...extra,
];

async function importEntries(
  testServer: TestServer,
  entries: readonly ZipEntry[],
): Promise<Json[]> {
  const report = await run(testServer, zipIn(testServer, entries));
  expect(report).toMatchObject({ outcome: "imported", faults: [] });
  return messagesTo(testServer, "olga", "Slack");
}

const topicAndContent = ({ subject, content }: Json) => [
  subject.replace("general chat", ""),
  content,
];

const rich = (...elements: object[]) => ({
  blocks: [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }],
});

test("takes emoji by the names that Slack gives them", async () => {
  const reaction = (name: string, ...users: string[]) => ({ name, users });
  const messages = await importEntries(await openServer(), [
    ...entriesOf([
      post(1, "ok", {
        reactions: [
          reaction("man-shrugging", BO),
          reaction("flag-nl", BO),
          reaction("simple_smile", BO),
          reaction("x", BO),
          reaction("dog", BO),
          reaction("wave::skin-tone-2", BO, OLGA),
          reaction("wave::skin-tone-5", BO),
          reaction("wave", BO, BO),
        ],
      }),
      post(2, ":x: :man-shrugging: :wave::skin-tone-3: at 10:30:45 `:us:` :us: :party-parrot:"),
      post(3, "", {
        ...rich(
          { type: "emoji", name: "man-shrugging", unicode: "1f937-200d-2642-fe0f" },
          { type: "emoji", name: "wave::skin-tone-3", unicode: "1f44b-1f3fc" },
          { type: "emoji", name: "party-parrot" },
          { type: "text", text: " a`b", style: { code: true } },
          { type: "color", value: "#FF0000" },
        ),
      }),
    ]),
  ]);
  const names = messages[0]!["reactions"].map(
    (reaction: Json) => `${reaction.emoji_name} ${reaction.user_id}`,
  );
  expect(new Set(names).size).toBe(names.length);
  expect(names.map((name: string) => name.split(" ")[0])).toEqual([
    ...["man_shrugging", "flag_nl", "slightly_smiling_face", "cross_mark", "puppy"],
    ...["wave", "wave"],
  ]);
  expect(messages.slice(1).map(({ content }) => content)).toEqual([
    ":cross_mark: :man_shrugging: :wave: at 10:30:45 `:us:` :flag_us: :party-parrot:",
    ":man_shrugging:👋🏼:party-parrot: `` a`b ``#FF0000",
  ]);
});

test("names senders who are not in the list of users", async () => {
  const profile = { real_name: "Ext Ern", display_name: "", name: "ext" };
  const messages = await importEntries(
    await openServer(),
    entriesOf([
      post(1, "a", { user: "U0EXT", user_profile: profile }),
      post(2, "b", { user: undefined, bot_id: "B0NEW", bot_profile: { name: "Deployer" } }),
      post(3, "c", { user: "USLACKBOT", subtype: "slackbot_response" }),
      post(4, "d", { user: undefined, username: `${"x".repeat(99)}😀` }),
      post(5, "e", { user: `U${"y".repeat(98)}😀` }),
    ]),
  );
  expect(messages.map(({ sender_full_name }) => sender_full_name)).toEqual([
    ...["Ext Ern", "Deployer", "Slackbot", expect.stringMatching(/^x{99}/), expect.any(String)],
  ]);
});

test("reads the fields of exports from before 2018", async () => {
  const file = { id: "F0OLD", name: "old: plan.txt", mimetype: "text/plain" };
  const thread = { thread_ts: ts(3) };
  const messages = await importEntries(
    await openServer(),
    entriesOf(
      [
        post(1, "shared", { subtype: "file_share", file }),
        post(2, "well", { user: undefined, subtype: "file_comment", comment: { user: OLGA } }),
        post(3, "the plan", { ...thread, replies: [{ ts: ts(4) }, { ts: ts(5) }] }),
        post(4, "one", thread),
        post(5, "two", thread),
      ],
      [{ name: "__uploads/F0OLD/old_ plan.txt", bytes: "the plan" }],
    ),
  );
  const lines = messages.map((message) => [
    message["sender_full_name"],
    ...topicAndContent(message),
  ]);
  expect(lines).toEqual([
    ["Bo Member", "", expect.stringMatching(/^shared\n\[old: plan.txt\]\(\/user_uploads\//)],
    ["Olga Owner", "", "well"],
    ["Bo Member", "the plan", "the plan"],
    ["Bo Member", "the plan", "one"],
    ["Bo Member", "the plan", "two"],
  ]);
});

test("counts files that have no messages, and folders of no channel", async () => {
  const testServer = await openServer();
  const from = zipIn(testServer, [
    ...entriesOf([post(1, "a")]),
    json("D0UNKNOWN/2018-01-20.json", [post(2, "b")]),
    json("odd/canvas_in_the_conversation.json", []),
    json("lists.json", []),
    json("huddle_transcripts.json", []),
  ]);
  const { losses, found } = await movingCommands.planImport(testServer.realm, { from });
  expect(found["messages"]).toBe(1);
  const lossExamples = (kind: string) => losses.find((loss) => loss.kind.includes(kind))?.examples;
  expect(lossExamples("folder belongs to no listed channel")).toEqual([
    "D0UNKNOWN/2018-01-20.json",
  ]);
  expect(lossExamples("A canvas or list")).toEqual([
    ...["odd/canvas_in_the_conversation.json", "lists.json"],
  ]);
  expect(lossExamples("has no messages")).toEqual(["huddle_transcripts.json"]);
});

test("keeps threads of an earlier export in their topics", async () => {
  const testServer = await openServer();
  const root = (at: number, text: string, reply_count: number) =>
    post(at, text, { thread_ts: ts(at), reply_count });
  const reply = (at: number, to: number, text: string) => post(at, text, { thread_ts: ts(to) });
  const before = [root(1, "Wich colour?", 2), reply(2, 1, "blue"), reply(3, 1, "red")];
  const single = [root(4, "Lunch?", 1), reply(5, 4, "yes")];
  await importEntries(testServer, entriesOf([...before, ...single]));
  const edited = [root(1, "Which colour?", 3), ...before.slice(1), reply(6, 1, "green")];
  const more = [root(4, "Lunch at noon?", 2), single[1]!, reply(7, 4, "no")];
  const other = [root(8, "Wich colour?", 2), reply(9, 8, "again"), reply(10, 8, "blue")];
  const messages = await importEntries(testServer, entriesOf([...edited, ...more, ...other]));
  expect(messages.map(topicAndContent)).toEqual([
    ...[
      ["Wich colour?", "Wich colour?"],
      ["Wich colour?", "blue"],
      ["Wich colour?", "red"],
    ],
    ["", "Lunch?"],
    ["", "> Lunch?\n\nyes"],
    ["Wich colour?", "green"],
    ["", "> Lunch at noon?\n\nno"],
    ...["Wich colour?", "again", "blue"].map((text) => ["Wich colour? · 20 Jan", text]),
  ]);
});

test("adds replies to the topic that users here have renamed", async () => {
  const testServer = await openServer();
  const thread = { thread_ts: ts(1) };
  const rows = [post(1, "Lunch?", { ...thread, reply_count: 2 })].concat(
    ["yes", "no"].map((text, index) => post(index + 2, text, thread)),
  );
  const [{ id } = {}] = await importEntries(testServer, entriesOf(rows));
  const renamed = { topic: "Dinner", propagate_mode: "change_all" };
  await testServer.request("olga", `PATCH /messages/${id}`, renamed);
  const messages = await importEntries(testServer, entriesOf([...rows, post(9, "late", thread)]));
  const texts = ["Lunch?", "yes", "no", "late"];
  expect(messages.map(topicAndContent)).toEqual(texts.map((text) => ["Dinner", text]));
});

test("reports names of channels that are taken in the archive, and only once", async () => {
  const testServer = await openServer();
  const names = ["odd", "Odd", "Äpfel", "", "x".repeat(80)];
  const channels = names.map((name, index) => ({ id: `C0ODD${index}`, name, members: [OLGA] }));
  const from = zipIn(testServer, [
    ...slackEntries([json("channels.json", channels)]),
    json("Odd/2018-01-20.json", [post(1, "second")]),
  ]);
  const renamedChannels = ({ losses }: { losses: { kind: string; examples: string[] }[] }) =>
    losses.find(({ kind }) => kind.startsWith("A channel is renamed"))?.examples;
  const report = await run(testServer, from);
  expect(renamedChannels(report)).toEqual([
    "#Odd → #Odd (Slack)",
    "# → #slack-c0odd3",
    `#${"x".repeat(80)} → #${"x".repeat(60)}`,
  ]);
  const shown = await channelsOf(testServer, "olga");
  expect(shown).toEqual(expect.arrayContaining(["odd", "Odd (Slack)", "Äpfel", "slack-c0odd3"]));
  const again = await run(testServer, from);
  expect([again.written, renamedChannels(again)]).toEqual([{}, undefined]);
});

test("limits the kinds of losses that a report lists", async () => {
  const testServer = await openServer();
  const rows = Array.from({ length: 300 }, (_, index) => {
    return post(index, "text", { subtype: `new_kind_${index}_${"x".repeat(1_000)}` });
  });
  const { losses } = await run(testServer, zipIn(testServer, entriesOf(rows)));
  expect(losses.length).toBeLessThanOrEqual(201);
  expect(losses.at(-1)).toMatchObject({ kind: "There are losses of more kinds." });
  expect(losses.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(300);
  expect(Math.max(...losses.map(({ kind }) => kind.length))).toBeLessThanOrEqual(300);
});

test("converts links and mentions in descriptions of channels to Markdown", async () => {
  const testServer = await openServer();
  const purpose = { value: "See <https://wiki.example|the wiki>, ask <@U0BO> &amp; <#C0X|team>" };
  const topic = { value: "<!channel> also <#G0SEC> and <https://a.example>" };
  const fields = { created: 1, members: ["U0BO"] };
  const entries = [
    json("users.json", USERS),
    json("channels.json", [{ id: "C0X", name: "described", ...fields, purpose, topic }]),
    json("groups.json", [{ id: "G0SEC", name: "hidden", ...fields }]),
  ];
  await run(testServer, zipIn(testServer, entries));
  const { description } = testServer.realm.read.channels.findBy("name", "described")!;
  expect(description).toBe(
    "See [the wiki](https://wiki.example), ask @Bo S & #team · " +
      "@all also #private channel and https://a.example",
  );
});

test("leaves out deleted messages that a log of deletions still has", async () => {
  const testServer = await openServer();
  const rows = [
    post(1, "still here"),
    post(2, "was deleted", { subtype: "message_deleted", hidden: true }),
  ];
  const { losses } = await run(testServer, zipIn(testServer, entriesOf(rows)));
  const kinds = losses.map(({ kind }) => kind);
  expect(kinds).toContain("A deleted message in a log of deletions is left out.");
  const messages = await messagesTo(testServer, "olga", "Slack");
  expect(messages.map(({ content }) => content)).toEqual(["still here"]);
});

test("undo keeps the accounts that own a bot or have a permission", async () => {
  const testServer = await openServer();
  const { users } = testServer.realm.read;
  const known = new Set([...users.range()].map(({ user_id }) => user_id));
  const people = [
    ...USERS,
    { id: "U0NEW1", name: "nia", profile: { real_name: "Nia", email: "nia@new.example" } },
    { id: "U0NEW2", name: "noa", profile: { real_name: "Noa", email: "noa@new.example" } },
  ];
  const entries = [json("users.json", people), json("channels.json", [])];
  expect(await run(testServer, zipIn(testServer, entries))).toMatchObject({ outcome: "imported" });
  const idOf = (name: string) =>
    [...users.range()].find(({ user_id, full_name }) => !known.has(user_id) && full_name === name)!
      .user_id;
  const [nia, noa] = [idOf("Nia"), idOf("Noa")];
  const bot = testServer.idOf("bot");
  await testServer.request("olga", `PATCH /bots/${bot}`, { bot_owner_id: nia });
  const members = { new: { direct_members: [noa], direct_subgroups: [] } };
  await testServer.request("olga", "PATCH /realm", { can_create_groups: members });
  const report = await movingCommands.undoImport(testServer.realm, { id: 1 }, true);
  expect(report).toMatchObject({ outcome: "undone", exit: 3 });
  expect(report.faults.toSorted()).toEqual([
    "users U0NEW1: the account owns a bot",
    "users U0NEW2: a permission names the account",
  ]);
  await testServer.restart();
  expect([nia, noa].map((id) => testServer.realm.read.users.has(id))).toEqual([true, true]);
});

test("starts although the owner of a bot does not exist", async () => {
  const testServer = await openServer();
  const bot = testServer.idOf("bot");
  await testServer.realm.write((tx) => tx.users.put({ ...tx.users.get(bot)!, bot_owner_id: 999 }));
  await testServer.restart();
  const sent = await testServer.send("bot", "POST /messages", {
    type: "direct",
    to: [testServer.idOf("bo")],
    content: "hello",
  });
  expect(sent.status).toBe(200);
});
