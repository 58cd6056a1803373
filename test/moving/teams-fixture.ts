/** Microsoft Teams data exports, made from the fields of the format. */
import type { Json } from "../test-server.ts";
import type { ZipEntry } from "./zip.ts";

export const START_MS = Date.parse("2025-08-05T13:00:00Z");

const uid = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;
export const [OLGA, BO, CY, GUEST, REMOVED] = [1, 2, 3, 4, 5].map(uid) as [
  string,
  string,
  string,
  string,
  string,
];
const NAMES = new Map([
  [OLGA, "Olga O"],
  [BO, "Bo B"],
  [CY, "Cy C"],
  [GUEST, "Gus Guest"],
  [REMOVED, "Gone Person"],
]);

const user = (id: string, mail: string | null, extra: Json = {}) => ({
  ...{ Id: id, DisplayName: NAMES.get(id), Mail: mail, UserPrincipalName: mail, JobTitle: null },
  ...extra,
});

const USERS = [
  user(OLGA, "olga@example.com", { JobTitle: "Boss" }),
  user(BO, null, { UserPrincipalName: "bo@example.com" }),
  user(CY, "cy@example.com"),
  user(GUEST, "guest@other.example", { UserPrincipalName: "guest_other#EXT#@x.example" }),
];

export const channelId = (name: string) => `19:${name}@thread.tacv2`;
const SENT = { Summary: null, Importance: "normal", MessageHistory: null, EventDetail: null };

export function message(
  seconds: number,
  from: string | null,
  html: string,
  extra: Json = {},
): Json {
  const ms = START_MS + seconds * 1000;
  const User =
    from === null ? null : { Id: from, DisplayName: NAMES.get(from), TenantId: "tenant" };
  return {
    ...SENT,
    ...{ Id: String(ms), ReplyToId: null, Subject: null },
    Body: { ContentType: "html", Content: html },
    From: from === null ? null : { User, Application: null },
    CreatedDateTime: new Date(ms).toISOString().replace("Z", "+00:00"),
    ...{ LastEditedDateTime: null, DeletedDateTime: null, Attachments: [], Mentions: [] },
    ...{ Reactions: [], MessageType: "message", ChannelIdentity: null, ChatId: null },
    ...extra,
  };
}

const inChannel = (name: string, extra: Json = {}) => ({
  ChannelIdentity: { TeamId: "t1", ChannelId: channelId(name) },
  Subject: "",
  ...extra,
});
const replyTo = (seconds: number) => ({ ReplyToId: String(START_MS + seconds * 1000) });

const mention = (id: number, name: string, text: string) => ({
  Id: id,
  Mentioned: { User: { Id: name, DisplayName: text }, Application: null, Conversation: null },
  MentionText: text,
});

/** The posts are not sorted by time. */
const POSTS = [
  message(21, BO, "<p>yes</p>", inChannel("gen", replyTo(20))),
  message(22, CY, "<p>no</p>", inChannel("gen", replyTo(20))),
  message(20, OLGA, "<p>Shall we <strong>ship</strong> it?</p>", inChannel("gen")),
  message(30, BO, "<p>the plan is</p>", inChannel("gen", { Subject: "Our plan" })),
  message(31, OLGA, "<p>good</p>", inChannel("gen", replyTo(30))),
  message(40, OLGA, "<p>one question</p>", inChannel("gen")),
  message(41, BO, "<p>one answer</p>", inChannel("gen", replyTo(40))),
  message(
    50,
    BO,
    '<p><at id="0">Cy</at>&nbsp;<at id="1">C</at>&nbsp;and <at id="2">Everyone</at> ' +
      '<emoji id="x" alt="🙂"></emoji></p><pre class="language-js"><code>a<br>b</code></pre>' +
      '<table><tr><td>a</td><td>b</td></tr></table><img alt="cat" ' +
      'src="https://graph.microsoft.com/v1.0/x/hostedContents/a/$value">',
    inChannel("gen", {
      LastEditedDateTime: "2025-08-05T13:02:00.5+00:00",
      Mentions: [
        mention(0, CY, "Cy"),
        mention(1, CY, "C"),
        { Id: 2, Mentioned: { User: null, Conversation: { Id: "c" } }, MentionText: "Everyone" },
      ],
      Reactions: [
        { ReactionType: "❤️", User: { User: { Id: OLGA } } },
        { ReactionType: "like", User: { User: { Id: CY } } },
      ],
    }),
  ),
  message(
    60,
    REMOVED,
    '<p>see</p><attachment id="f1"></attachment>',
    inChannel("gen", {
      Attachments: [
        {
          ...{ Id: "f1", ContentType: "reference", Content: null, Name: "plan.docx" },
          ContentUrl: "https://acme.sharepoint.example/plan.docx",
        },
        {
          ...{ Id: "c1", ContentType: "application/vnd.microsoft.card.adaptive", Name: null },
          Content: JSON.stringify({
            body: [
              { type: "TextBlock", text: "Build 7" },
              { type: "FactSet", facts: [{ title: "Time", value: "3 s" }] },
            ],
          }),
        },
      ],
    }),
  ),
  message(
    70,
    null,
    "<p>from an app</p>",
    inChannel("gen", { From: { User: null, Application: { Id: "a1", DisplayName: "Robo" } } }),
  ),
  message(
    71,
    null,
    "<systemEventMessage/>",
    inChannel("gen", { MessageType: "unknownFutureValue" }),
  ),
  message(72, BO, "<p>deleted</p>", inChannel("gen", { DeletedDateTime: "2025-08-05T14:00:00Z" })),
  message(80, BO, "<p>closed room</p>", inChannel("priv")),
];

const chat = (id: string, extra: Json = {}) => ({ ChatId: id, Subject: "", ...extra });
const DIRECT_CHAT = `19:${OLGA}_${BO}@unq.gbl.spaces`;
const GROUP = "19:abcdef@thread.v2";

const GROUP_POST = message(91, CY, "<p>we three</p>", chat(GROUP));

const QUOTE = {
  ...{ Id: "q1", ContentType: "messageReference", ContentUrl: null, Name: null },
  Content: JSON.stringify({
    messagePreview: "just you",
    messageSender: { user: { displayName: "Olga O" } },
  }),
};

const FILES: Record<string, Json> = {
  "users/usersList.json": USERS,
  [`users/${OLGA}/messages_${OLGA}.json`]: [
    message(90, OLGA, "<p>just you</p>", chat(DIRECT_CHAT)),
    GROUP_POST,
  ],
  [`users/${BO}/messages_${BO}.json`]: [
    message(90, OLGA, "<p>just you</p>", chat(DIRECT_CHAT)),
    message(
      92,
      BO,
      '<attachment id="q1"></attachment><p>indeed</p>',
      chat(DIRECT_CHAT, { Attachments: [QUOTE] }),
    ),
    GROUP_POST,
  ],
  [`users/${BO}/meetings_${BO}.json`]: [{ Id: "meeting" }],
  "teams/teamsList.json": [
    { Name: "Acme Team", Privacy: "Private", Description: "d", GroupsId: "t1" },
    { Name: "Open Team", Privacy: "Public", Description: "d", GroupsId: "t2" },
  ],
  "teams/teamsSettings.json": [
    {
      ...{ Id: "t1", DisplayName: "Acme Team", InternalId: channelId("gen") },
      ...{ Visibility: "private", IsArchived: false },
    },
  ],
  "teams/t1/channels_t1.json": [
    { Id: channelId("gen"), DisplayName: "General", MembershipType: "standard" },
    {
      ...{ Id: channelId("priv"), DisplayName: "Plans", MembershipType: "private" },
      Description: "hush",
    },
  ],
  "teams/t1/messages_t1.json": POSTS,
  "teams/t1/teamMembers_t1.json": [OLGA, BO, CY].map((UserId) => ({ UserId, Role: null })),
  "teams/t1/teamInstalledApps_t1.json": [{ Id: "app" }],
  "teams/t2/channels_t2.json": [
    { Id: channelId("open"), DisplayName: "General", MembershipType: "standard" },
  ],
  "teams/t2/messages_t2.json": [message(95, CY, "<p>for all</p>", inChannel("open"))],
};

/** `changes`: other contents of single files. */
export function teamsEntries(changes: Readonly<Record<string, string>> = {}): ZipEntry[] {
  const files = new Map(Object.entries(FILES).map(([name, rows]) => [name, JSON.stringify(rows)]));
  for (const [name, bytes] of Object.entries(changes)) files.set(name, bytes);
  return [...files].map(([name, bytes]) => ({ name: `TeamsDataExport/${name}`, bytes }));
}
