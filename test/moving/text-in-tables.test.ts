// Mentions, pipes and links in cells of tables keep the cells of their row.
import { expect, test } from "bun:test";
import { converted as ofMattermost } from "../../src/features/moving/mattermost/markdown.ts";
import { textOf } from "../../src/features/moving/source/message-text.ts";
import type { SourceMessage } from "../../src/features/moving/source/records-rules.ts";
import type { TeamsMessage } from "../../src/features/moving/teams/shapes.ts";
import { markdownOf as ofTeams } from "../../src/features/moving/teams/message-body.ts";
import { htmlOf, names } from "./rendered.ts";
import { messagesTo, openServer, run, zipIn } from "./import-fixture.ts";
import { BO, OLGA as OLGA_ID, slackEntries, ts, USERS } from "./slack-fixture.ts";

const ENTITY = /&#(\d+);/g;
const decode = (_entity: string, code: string) => String.fromCharCode(Number(code));
const cellsIn = (html: string) =>
  [...html.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell = ""]) =>
      cell.replaceAll(ENTITY, decode),
    ),
  );
const rendered = (message: object) => htmlOf(textOf(message as SourceMessage, names));
const rowsOf = (message: object) => cellsIn(rendered(message));

const OLGA = '<span class="user-mention" data-user-id="4">@Olga Owner</span>';
const X = "https://e.com/x";

const inMattermost = (text: string) =>
  ofMattermost(text, {
    user: (name) => (name === "olga" ? "U1" : name === "bo" ? "U2" : undefined),
    ...{ channel: () => "a|b", emoji: (emojiText: string) => emojiText },
  });
const mattermostRows = (text: string) => rowsOf({ markdown: inMattermost(text) });

test("keeps the cells of Mattermost's tables", () => {
  const head = "| Who | What |\n|---|:-:|\n";
  expect(mattermostRows(`${head}| @olga | _x_ |\n|@bo|x\\|y|`)).toEqual([
    ["Who", "What"],
    [OLGA, "<em>x</em>"],
    ["@Bo", "x|y"],
  ]);
  expect(mattermostRows(`a | b\n--- | ---\n\`x\\|y\` | [l](${X}) ~a`)).toEqual([
    ["a", "b"],
    ["<code>x|y</code>", `<a href="${X}">l</a> #a|b`],
  ]);
  const quoted = "> | @olga | b |\n> |---|---|\n> | 1 | @olga |";
  const silent = OLGA.replace('mention"', 'mention silent"').replace("@", "");
  expect(mattermostRows(quoted)).toEqual([
    [silent, "b"],
    ["1", silent],
  ]);
});

test("keeps the ids of mentions outside of tables", () => {
  const mentions = (markdown: string) => textOf({ markdown } as SourceMessage, names);
  expect(mentions("a | b\n\n--- | ---\n\u0001U2\u0001")).toContain("@**Bo|5**");
  expect(mentions("a | b\n--- | ---\n1 | 2\n\n\u0001U2\u0001 | 3")).toContain("@**Bo|5** | 3");
  const code = "```\na | b\n--- | ---\n`x\\|y` | z\n```";
  expect(mentions(code)).toBe(code);
});

test("keeps the cells of Slack's tables", () => {
  const rich = (...elements: object[]) => ({
    ...{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] },
  });
  const text = (value: string, style = {}) => ({ type: "text", text: value, style });
  const raw = (value: string) => ({ type: "raw_text", text: value });
  const rows = [
    [raw("a|*b*"), rich(text("c|d"))],
    [rich({ type: "user", user_id: "U1" }), rich(text("e|f", { code: true }), text(" g"))],
    [rich({ type: "user", user_id: "U2" }), rich({ type: "link", url: `${X}/a|b` }, text("を"))],
    [rich({ type: "channel", channel_id: "x|y" }), rich(text("1`2"), text("|3"))],
  ];
  const [head, ...body] = rowsOf({ blocks: [{ type: "table", rows }] });
  expect(head).toEqual(["a|*b*", "c|d"]);
  expect(body).toEqual([
    [OLGA, "<code>e|f</code> g"],
    ["@Bo", expect.stringMatching(/<a href="https:..e.com.x.a%7Cb">.*<.a>を/)],
    ["#x|y", "1`2|3"],
  ]);
  const markdown = "| a |\n|---|\n| `b\\|c` d\\|e |";
  const [, row] = rowsOf({ blocks: [{ type: "markdown", text: markdown }] });
  expect(row).toEqual(["<code>b|c</code> d|e"]);
});

test("keeps the cells of tables in HTML of Teams", () => {
  const content =
    '<table><tr><td><at id="0">Olga</at></td><td>a|b</td></tr>' +
    `<tr><td><code>c|d</code></td><td><p><a href="${X}/e|f">l|m</a></p><p>n</p></td></tr></table>`;
  const message = {
    Body: { ContentType: "html", Content: content },
    Mentions: [{ Id: 0, Mentioned: { User: { Id: "x" } } }],
  };
  const markdown = ofTeams(message as TeamsMessage, [], () => true).replace(/U:x/, "U1");
  expect(rowsOf({ markdown })).toEqual([
    [OLGA, "a|b"],
    ["<code>c|d</code>", `<a href="${X}/e%7Cf">l|m</a> n`],
  ]);
});

test("mentions a user in a table by a name that no other user has", async () => {
  const user = (id: string) => ({ type: "user", user_id: id });
  const cell = (id: string) => ({
    ...{ type: "rich_text", elements: [{ type: "rich_text_section", elements: [user(id)] }] },
  });
  const rows = [[cell(OLGA_ID)], [cell(BO)]];
  const post = { type: "message", user: OLGA_ID, text: "", blocks: [{ type: "table", rows }] };
  const twin = { id: "U0BO2", name: "twin", profile: { email: "twin@example.com" } };
  const users = [...USERS, { ...twin, profile: { ...twin.profile, real_name: "Bo Member" } }];
  const testServer = await openServer();
  const entries = slackEntries([
    { name: "general/2018-01-20.json", bytes: JSON.stringify([{ ...post, ts: ts(1) }]) },
    { name: "users.json", bytes: JSON.stringify(users) },
  ]);
  await run(testServer, zipIn(testServer, entries));
  const messages = await messagesTo(testServer, "olga", "Slack");
  const tables = messages.map(({ content }) => content).filter((content) => content[0] === "|");
  expect(tables).toEqual(["| @**Olga Owner** |\n| --- |\n| @Bo Member |"]);
});
