// Links of the old product to its own messages and channels become links to this organization.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { replaceLinks } from "../../src/features/moving/source/links.ts";
import type { Json, TestServer } from "../test-server.ts";
import { dumpFolder } from "./bson-writer.ts";
import { campfireDatabase, timeAfter as campfireTime } from "./campfire-fixture.ts";
import * as discord from "./discord-fixture.ts";
import { folderIn, messagesTo, openServer, run, zipIn } from "./import-fixture.ts";
import { entries as mattermostEntries, LINES, post } from "./mattermost-fixture.ts";
import { COLLECTIONS, message as rocketMessage } from "./rocketchat-fixture.ts";
import { BO, OLGA, slackEntries, ts } from "./slack-fixture.ts";
import {
  channelId,
  message as teamsMessage,
  OLGA as TEAMS_OLGA,
  START_MS,
} from "./teams-fixture.ts";
import { teamsEntries } from "./teams-fixture.ts";

const FOUND = "links to messages and channels";
const STAYS = "A link to a message or channel that is not imported stays unchanged.";

/** The links after an arrow, by the text before it. Ids become the texts of their messages. */
async function linksOf(testServer: TestServer, label: string): Promise<Map<string, string>> {
  const messages = await messagesTo(testServer, "olga", label);
  const texts = new Map(messages.map(({ id, content }: Json) => [String(id), String(content)]));
  const nameOf = (id: string) => texts.get(id)?.split("\n")[0]!.slice(0, 20) ?? "?";
  const all = messages.map(({ content }: Json) => {
    const [name = "", link = ""] = String(content).split("→");
    return [
      name,
      link
        .replaceAll(/\/(near|id)\/(\d+)/g, (_all, term: string, id: string) => {
          return `/${term}/{${nameOf(id)}}`;
        })
        .replaceAll(/channel\/\d+/g, "channel/N"),
    ] as const;
  });
  return new Map(all.filter(([, link]) => link !== ""));
}

const permalink = (channel: string, time: string) =>
  `https://acme.slack.com/archives/${channel}/p${time.replace(".", "")}`;
const slackPost = (seconds: number, user: string, text: string, extra: Json = {}) => ({
  ...{ type: "message", user, text, ts: ts(seconds) },
  ...extra,
});
const DAY = 2 * 86_400;
const LATER = permalink("C0GEN", ts(DAY + 90));

const SLACK_LINKS = {
  name: "general/2018-01-22.json",
  bytes: JSON.stringify([
    slackPost(DAY, BO, `past→<${permalink("C0GEN", ts(70))}>.`),
    slackPost(
      DAY + 1,
      BO,
      `labelled→<${permalink("C0GEN", ts(40))}?thread_ts=${ts(30)}&amp;cid=C0GEN|as said>`,
    ),
    slackPost(DAY + 2, BO, `later→<${LATER}>`),
    slackPost(DAY + 3, BO, `secret→<${permalink("G0SEC", ts(15))}>`),
    slackPost(DAY + 4, BO, `channel→<https://acme.slack.com/archives/C0APFEL>`),
    slackPost(DAY + 5, BO, `code→\`${permalink("C0GEN", ts(70))}\``),
    slackPost(DAY + 6, BO, `absent→<${permalink("C0GEN", ts(71))}>`),
    slackPost(DAY + 7, BO, `elsewhere→<https://acme.slack.example/archives/C0GEN>`),
    slackPost(DAY + 8, BO, `notice→<${permalink("C0GEN", ts(0))}>`),
    slackPost(DAY + 90, OLGA, "the later one"),
  ]),
};

test("rewrites Slack's links to earlier and later messages, and no others", async () => {
  const testServer = await openServer();
  const from = zipIn(testServer, slackEntries([SLACK_LINKS]));
  const plan = await movingCommands.planImport(testServer.realm, { from });
  const report = await run(testServer, from);
  expect(plan.found).toEqual(report.found);
  expect(plan.losses).toEqual(report.losses);
  expect(report.found[FOUND]).toBe(5);
  expect(report.written[FOUND]).toBe(5);
  expect(report.losses.find(({ kind }) => kind === STAYS)?.count).toBe(2);
  const links = await linksOf(testServer, "Slack");
  const general = "/#narrow/channel/N-general-.28Slack.29/topic";
  expect(Object.fromEntries(links)).toEqual({
    past: `[#general (Slack) > general chat @ 💬](${general}//near/{edited}).`,
    labelled: `[as said](${general}/Shall.20we.20ship.20it.3F/near/{yes})`,
    later: `[#general (Slack) > general chat @ 💬](${general}//near/{the later one})`,
    secret: "[a message](/#narrow/id/{lantern secret})",
    channel: "[#äpfel](/#narrow/channel/N-.C3.A4pfel)",
    code: `\`${permalink("C0GEN", ts(70))}\``,
    absent: permalink("C0GEN", ts(71)),
    elsewhere: "https://acme.slack.example/archives/C0GEN",
    notice: permalink("C0GEN", ts(0)),
  });
  const search = async (operand: string) => {
    const narrow = [{ operator: "search", operand }];
    const range = { anchor: "newest", num_before: 100, num_after: 0 };
    return (await testServer.request("olga", "GET /messages", { ...range, narrow })).messages;
  };
  const [labelled] = await search("labelled");
  expect(labelled.content).toMatch(/<a href="\/?#narrow\/channel\/\d+[^"]+\/near\/\d+"/);
  // The search index contains the rewritten text.
  expect(await search("later chat")).toHaveLength(1);
  const stayed = (await search("archives")).map(
    ({ content }: Json) => /\w+/.exec(content.slice(3))![0],
  );
  expect(stayed).toEqual(["code", "absent", "elsewhere", "notice"]);
});

test("a second run writes no links, a later export completes them, and an undo works", async () => {
  const testServer = await openServer();
  const { read } = testServer.realm;
  const rows = JSON.parse(SLACK_LINKS.bytes) as Json[];
  const early = { ...SLACK_LINKS, bytes: JSON.stringify(rows.slice(0, -1)) };
  const first = zipIn(testServer, slackEntries([early]));
  expect((await run(testServer, first)).written[FOUND]).toBe(4);
  expect((await linksOf(testServer, "Slack")).get("later")).toBe(LATER);
  expect((await run(testServer, first)).written).toEqual({});
  const second = zipIn(testServer, slackEntries([SLACK_LINKS]));
  expect((await run(testServer, second)).written).toEqual({ messages: 1, [FOUND]: 1 });
  expect((await linksOf(testServer, "Slack")).get("later")).toContain("{the later one}");
  expect((await run(testServer, second)).written).toEqual({});
  const undone = await movingCommands.undoImport(testServer.realm, { id: 1 }, true);
  expect(undone).toMatchObject({ outcome: "undone", faults: [] });
  expect([read.messages.count(), read.imported.count()]).toEqual([0, 0]);
});

test("rewrites Discord's links to messages, threads and channels", async () => {
  const testServer = await openServer();
  const url = "https://discord.com/channels";
  const rows = [
    `message→${url}/1/20/102`,
    `thread→${url}/1/106`,
    `in thread→${url}/1/106/108`,
    `channel→<https://ptb.discord.com/channels/1/20>`,
    `other server→${url}/8/20/102`,
    `absent→${url}/1/20/999`,
    `bold→**${url}/1/20/102**`,
  ].map((text, index) => discord.message(String(900 + index), 600 + index, discord.BO, text));
  const extra = {
    name: "Acme/links.json",
    bytes: discord.channelFile({ id: "20", name: "general" }, rows),
  };
  const from = folderIn(testServer.directory, [...discord.discordEntries(), extra]);
  const people = [[`U:${discord.OLGA.id}`, "olga@example.com"]];
  const report = await run(testServer, from, { people, channels: "public" });
  expect(report.losses.find(({ kind }) => kind === STAYS)?.count).toBe(1);
  const links = await linksOf(testServer, "Discord");
  expect(links.get("message")).toMatch(/^\[#general.*\(\/#narrow\/channel\/N-.*\/near\/\{/);
  expect(links.get("thread")).toMatch(
    /^\[#general[^ ]*.* > .*\]\(\/#narrow\/channel\/N-.*\/topic\//,
  );
  expect(links.get("in thread")).toMatch(/\/near\/\{/);
  expect(links.get("channel")).toMatch(/^\[#general.*\]\(\/#narrow\/channel\/N-general[^/]*\)$/);
  expect(links.get("other server")).toBe(`${url}/8/20/102`);
  expect(links.get("absent")).toBe(`${url}/1/20/999`);
  expect(links.get("bold")).toMatch(/^\*\*\[#general.*\)\*\*$/);
});

test("rewrites the links of Teams to messages and channels", async () => {
  const testServer = await openServer();
  const gen = encodeURIComponent(channelId("gen"));
  const url = "https://teams.microsoft.com/l";
  const at = (seconds: number) => String(START_MS + seconds * 1_000);
  const texts = [
    `message→${url}/message/${gen}/${at(40)}?tenantId=tenant&amp;groupId=t1`,
    `channel→${url}/channel/${gen}/General?groupId=t1`,
    `other→${url}/message/${gen}/${at(40)}?tenantId=another`,
    `absent→${url}/message/${gen}/${at(999)}`,
  ];
  const place = { ChannelIdentity: { TeamId: "t1", ChannelId: channelId("gen") } };
  const posts = texts.map((text, index) =>
    teamsMessage(700 + index, TEAMS_OLGA, `<p>${text}</p>`, place),
  );
  const target = teamsMessage(40, TEAMS_OLGA, "<p>one question</p>", place);
  const rows = JSON.stringify([...posts, target]);
  await run(testServer, zipIn(testServer, teamsEntries({ "teams/t1/messages_t1.json": rows })));
  const links = await linksOf(testServer, "Microsoft Teams");
  expect(links.get("message")).toContain("/near/{one question}");
  expect(links.get("channel")).toMatch(/^\[#.*\]\(\/#narrow\/channel\/N-[^/]*\)$/);
  expect(links.get("other")).toContain(`${url}/message/`);
  expect(links.get("absent")).toBe(`${url}/message/${gen}/${at(999)}`);
});

test("rewrites links of Rocket.Chat to the server that its settings name", async () => {
  const testServer = await openServer();
  const url = "https://rocket.example/team";
  const texts = [
    `message→${url}/channel/general?msg=m5`,
    `thread→${url}/channel/general/thread/m2?msg=m3`,
    `channel→${url}/channel/general`,
    `discussion→${url}/channel/x7Hq`,
    `other→https://rocket.example/channel/general?msg=m5`,
    `absent→${url}/channel/general?msg=zz`,
  ];
  const posts = texts.map((text, index) =>
    rocketMessage(`l${index}`, "GENERAL", 700 + index, "u1", text),
  );
  const collections: Record<string, Json[]> = {
    ...COLLECTIONS,
    rocketchat_message: [...COLLECTIONS["rocketchat_message"]!, ...posts],
    rocketchat_settings: [{ _id: "Site_Url", value: `${url}/` }],
  };
  await run(testServer, folderIn(testServer.directory, dumpFolder(collections)));
  const links = await linksOf(testServer, "Rocket.Chat");
  expect(links.get("message")).toContain("/near/{one question}");
  expect(links.get("thread")).toContain("/near/{yes}");
  expect(links.get("channel")).toMatch(/^\[#general .*\]\(\/#narrow\/channel\/N-[^/]*\)$/);
  expect(links.get("discussion")).toMatch(/\/topic\/Which\.20colour/);
  expect(links.get("other")).toContain("https://rocket.example/channel");
  expect(links.get("absent")).toBe(`${url}/channel/general?msg=zz`);
});

test("rewrites links of Campfire and Mattermost to the server of --old-url", async () => {
  const testServer = await openServer();
  const url = "https://old.example";
  const path = join(testServer.directory, "production.sqlite3");
  campfireDatabase(path, (database) => {
    const add = (id: number, text: string) => {
      void database.run("INSERT INTO messages VALUES (?, 1, 1, '', ?, '')", [id, campfireTime(id)]);
      void database.run(
        "INSERT INTO action_text_rich_texts VALUES (?, 'Message', ?, 'body', ?, '', '')",
        [id, id, `<div>${text}</div>`],
      );
    };
    add(500, "the target");
    add(501, `message→${url}/rooms/1/@500`);
    add(502, `room→<a href="${url}/rooms/1">${url}/rooms/1</a>`);
    add(503, "other→https://other.example/rooms/1/@500");
  });
  await run(testServer, path, { old_url: url });
  const links = await linksOf(testServer, "Campfire");
  expect(links.get("message")).toContain("/near/{the target}");
  expect(links.get("room")).toMatch(/^\[#All Talk\]\(\/#narrow\/channel\/N-All-Talk\)$/);
  expect(links.get("other")).toBe("https://other.example/rooms/1/@500");

  const lines = [
    ...LINES,
    post(600, "bo", `channel→${url}/acme/channels/town-square`),
    post(601, "bo", `post→${url}/acme/pl/4ksj8rq1nfd3p`),
  ];
  const report = await run(testServer, zipIn(testServer, mattermostEntries(lines)), {
    old_url: `${url}/`,
  });
  expect(report.losses.find(({ kind }) => kind === STAYS)?.count).toBe(1);
  const mattermost = await linksOf(testServer, "Mattermost");
  expect(mattermost.get("channel")).toMatch(
    /^\[#Town Square\]\(\/#narrow\/channel\/N-Town-Square\)$/,
  );
  expect(mattermost.get("post")).toBe(`${url}/acme/pl/4ksj8rq1nfd3p`);
});

const REPLACED: readonly (readonly [text: string, replaced: string])[] = [
  ["https://a.b/c", "[?](c)"],
  ["(https://a.b/c), https://a.b/d.", "([?](c)), [?](d)."],
  ["[x](https://a.b/c) [https://a.b/c](https://a.b/c)", "[x](c) [?](c)"],
  ["<https://a.b/c> ![x](https://a.b/c)", "[?](c) ![x](https://a.b/c)"],
  ["[a [b] c](https://a.b/c) [d]: https://a.b/c", "[a [b] c](https://a.b/c) [d]: https://a.b/c"],
  ["\\[x](https://a.b/c)", "\\[x](https://a.b/c)"],
  ["`https://a.b/c` ``https://a.b/c ` x``", "`https://a.b/c` ``https://a.b/c ` x``"],
  ["```\nhttps://a.b/c\n```\nhttps://a.b/c", "```\nhttps://a.b/c\n```\n[?](c)"],
  ["````quote\nhttps://a.b/c\n````", "````quote\n[?](c)\n````"],
  [
    "```quote\n~~~ js\nhttps://a.b/c\n~~~\nhttps://a.b/d\n```",
    "```quote\n~~~ js\nhttps://a.b/c\n~~~\n[?](d)\n```",
  ],
  ["``` https://a.b/c ```", "``` https://a.b/c ```"],
];

test.each(REPLACED)("finds the links in %j", (text, replaced) => {
  const found = replaceLinks(
    text,
    ({ pathname }, label) => `[${label ?? "?"}](${pathname.slice(1)})`,
  );
  expect(found).toBe(replaced);
});
