// Microsoft Teams exports with the forms and fields that exports of real organizations have.
import { expect, test } from "bun:test";
import type { Json } from "../test-server.ts";
import { lossesOf, messagesTo, openServer, run, zipIn } from "./import-fixture.ts";
import { BO, channelId, CY, message, OLGA, teamsEntries } from "./teams-fixture.ts";

const POSTS = "teams/t1/messages_t1.json";
const GENERAL_CHANNEL = { ChannelIdentity: { ChannelId: channelId("gen") } };

async function imported(posts: readonly Json[], files: Readonly<Record<string, string>> = {}) {
  const testServer = await openServer();
  const entries = teamsEntries({ [POSTS]: JSON.stringify(posts), ...files });
  const report = await run(testServer, zipIn(testServer, entries));
  expect(report).toMatchObject({ outcome: "imported", faults: [] });
  const messages = await messagesTo(testServer, "bo", "Microsoft Teams");
  const posted = messages.filter(({ type }: Json) => type === "stream");
  return { testServer, report, contents: posted.map(({ content }) => content), messages: posted };
}

const mention = (nth: number, id: string, name: string) => ({
  ...{ Id: nth, MentionText: name },
  Mentioned: { User: { Id: id, DisplayName: name }, Application: null, Conversation: null },
});

const post = (seconds: number, html: string, more: Json = {}) =>
  message(seconds, BO, html, { ...GENERAL_CHANNEL, ...more });

test("keeps mentions in emphasis, and after emoji", async () => {
  const parts = '<at id="0">Cy</at>&nbsp;<at id="1">C</at>';
  const Mentions = [mention(0, CY, "Cy"), mention(1, CY, "C")];
  const { testServer, messages, contents } = await imported([
    post(1, `<p><strong>${parts}</strong>&nbsp;in bold</p>`, { Mentions }),
    post(2, `<p><strong>${parts} and more</strong></p>`, { Mentions }),
    post(3, `<p><i>hello ${parts}</i></p>`, { Mentions }),
    post(4, `<p><emoji alt="🙂"></emoji>${parts}</p>`, { Mentions }),
    post(5, `<p><s>${parts}</s> <b>bold</b>${parts}</p>`, { Mentions }),
  ]);
  const cy = testServer.realm.read.users.findBy("email", "cy@example.com")!;
  const name = `@**Cy Member|${cy.user_id}**`;
  expect(contents.slice(0, 5)).toEqual([
    `${name} in bold`,
    `${name} **and more**`,
    `*hello ${name}*`,
    `🙂 ${name}`,
    `${name} **bold** ${name}`,
  ]);
  const { messages: received } = await testServer.request("cy", "GET /messages", {
    ...{ anchor: "newest", num_before: 100, num_after: 0 },
  });
  const ids = new Set(messages.slice(0, 5).map(({ id }) => id));
  for (const { id, flags } of received) if (ids.has(id)) expect(flags).toContain("mentioned");
});

test("names users whom no list contains by their messages, or by the whole mention", async () => {
  const [willId, nora] = [8, 9].map((nth) => `00000000-0000-4000-8000-00000000000${nth}`);
  const { testServer } = await imported([
    post(1, "", {
      Body: { ContentType: "html", Content: '<at id="0">Will</at> <at id="1">B</at>' },
      Mentions: [
        ...[mention(0, willId!, "Will"), mention(1, nora!, "Nora"), mention(2, nora!, "Xu")],
      ],
    }),
    post(2, "<p>later</p>", { From: { User: { Id: willId, DisplayName: "Will Begon" } } }),
    post(3, "<p>one</p>", { From: { User: { Id: null, DisplayName: "Ann" } } }),
    post(4, "<p>two</p>", { From: { User: { Id: null, DisplayName: "Ben" } } }),
  ]);
  const users = [...testServer.realm.read.users.range()];
  const bots = new Map(users.map(({ full_name, bot_type }) => [full_name, bot_type !== null]));
  expect(["Will Begon", "Nora Xu", "Ann", "Ben"].map((name) => bots.get(name))).toEqual([
    ...[false, false, false, false],
  ]);
});

const attached = (nth: string, ContentType: string, Content: Json, more: Json = {}) => ({
  ...{ Id: nth, ContentType, Content: JSON.stringify(Content), ...more },
});

/** A quote that may contain code. */
const quote = (...lines: string[]) => `\`\`\`\`\`quote\n${lines.join("\n")}\n\`\`\`\`\``;

test("keeps the texts of all kinds of cards, and names of other attachments", async () => {
  const adaptive = {
    body: [
      { type: "RichTextBlock", inlines: [{ type: "TextRun", text: "run" }, "plain"] },
      { type: "Table", rows: [{ cells: [{ items: [{ type: "TextBlock", text: "cell" }] }] }] },
    ],
  };
  const connector = {
    title: "Build",
    sections: [{ activityTitle: "CI", text: "red", facts: [{ name: "Try", value: "2" }] }],
    potentialAction: [{ name: "View", targets: [{ os: "default", uri: "https://ci.example/2" }] }],
  };
  const hero = {
    title: "Welcome",
    subtitle: "to all",
    buttons: [{ type: "openUrl", title: "Start", value: "https://a.example" }],
  };
  const { contents, report } = await imported([
    post(1, "", {
      Attachments: [attached("1", "application/vnd.microsoft.card.adaptive", adaptive)],
    }),
    post(2, "", {
      Attachments: [attached("1", "application/vnd.microsoft.teams.card.o365connector", connector)],
    }),
    post(3, "", { Attachments: [attached("1", "application/vnd.microsoft.card.hero", hero)] }),
    post(4, "", { Attachments: [attached("1", "meetingReference", {}, { Name: "Weekly" })] }),
    post(5, '<p><customemoji alt="party" source="https://x.example"></customemoji></p>'),
  ]);
  expect(contents.slice(0, 5)).toEqual([
    quote("run", "plain", "cell"),
    quote("Build", "CI: red", "Try: 2", "[View](https://ci.example/2)"),
    quote("Welcome: to all", "[Start](https://a.example)"),
    ...["Weekly", ":party:"],
  ]);
  expect(lossesOf(report)).toEqual(
    expect.arrayContaining([
      "A card is shown by its texts only.",
      "An attachment is shown by its name only.",
      "The picture of a custom emoji is not in the export: only its name is imported.",
    ]),
  );
});

test("links Loop components, and names the senders of forwarded messages", async () => {
  const { contents, report, testServer } = await imported([
    post(6, "", {
      Attachments: [
        attached("1", "application/vnd.microsoft.card.codesnippet", { codeSnippetUrl: "x" }),
        attached("2", "application/vnd.microsoft.card.codesnippet", {}),
      ],
    }),
    post(7, "", {
      Attachments: [
        attached("1", "application/vnd.microsoft.card.fluidEmbedCard", {
          componentUrl: "https://a.example/x.loop",
        }),
      ],
    }),
    post(8, "", {
      Attachments: [
        attached("1", "forwardedMessageReference", {
          originalMessageContent: "<p>old news</p>",
          originalMessageSender: { user: { id: CY, displayName: null } },
        }),
        attached("2", "forwardedMessageReference", {
          originalMessageContent: "<p>of a stranger</p>",
          originalMessageSender: { user: { id: "unknown" } },
        }),
      ],
    }),
  ]);
  const cy = testServer.realm.read.users.findBy("email", "cy@example.com")!.user_id;
  expect(contents.slice(0, 3)).toEqual([
    "(code snippet, not available)",
    "[Loop component](https://a.example/x.loop)",
    [
      ...["Forwarded:", quote(`@**Cy Member|${cy}**:`, "old news")],
      ...["Forwarded:", quote("of a stranger")],
    ].join("\n"),
  ]);
  expect(lossesOf(report)).toEqual(
    expect.arrayContaining([
      "A code snippet is not in the export.",
      "A Loop component is in SharePoint or OneDrive: only a link to it is imported.",
    ]),
  );
});

test("reports empty teams, renamed first channels and importance, but no known chats", async () => {
  const chat = (ChatId: string) => message(5, OLGA, "<p>note</p>", { ChatId });
  const { report, testServer } = await imported([post(1, "<p>now</p>", { Importance: "urgent" })], {
    "teams/teamsList.json": JSON.stringify([
      { GroupsId: "t1", Name: "Acme Team", Privacy: "Private", Description: "the whole team" },
      { GroupsId: "t9", Name: "All Company", Privacy: "Public" },
    ]),
    "teams/teamsSettings.json": JSON.stringify([
      { Id: "t1", DisplayName: "Acme Team", Visibility: "private", InternalId: channelId("gen") },
    ]),
    "teams/t1/channels_t1.json": JSON.stringify([
      { Id: channelId("gen"), DisplayName: "Lobby", MembershipType: "standard" },
    ]),
    [`users/${OLGA}/messages_${OLGA}.json`]: JSON.stringify([
      ...[chat(`19:${OLGA}_${OLGA}@unq.gbl.spaces`), chat("48:notes")],
    ]),
  });
  const kinds = lossesOf(report);
  expect(kinds).toEqual(
    expect.arrayContaining([
      "A team has no channels in the export: it is left out.",
      "The first channel of a team gets the name of the team.",
      "The importance of a message is left out.",
    ]),
  );
  const chats = report.losses.find(({ kind }) => kind.startsWith("The members of a chat"));
  expect(chats?.examples ?? []).not.toContain("48:notes");
  expect(chats?.examples.join(" ") ?? "").not.toContain(`${OLGA}_${OLGA}`);
  const channel = testServer.realm.read.channels.findBy("name", "acme team")!;
  expect(channel.description).toBe("the whole team");
});
