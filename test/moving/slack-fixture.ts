/** A Slack export with every kind of object, built from the fields of the format. */
import type { ZipEntry } from "./zip.ts";

export const OLGA = "U0OLGA";
export const BO = "U0BO";
const NEW = "U0NEW";
const REMOVED = "U0GONE";
const TWIN_ID = "U0TWIN";
const DAY_SECONDS = 86_400;
/** 2018-01-20, noon. */
export const START = 1_516_449_600;

const user = (id: string, name: string, email?: string, extra: object = {}) => ({
  id,
  team_id: "T0TEAM",
  name,
  profile: { real_name: name, display_name: name, ...(email && { email }) },
  ...extra,
});

export const USERS = [
  user(OLGA, "Olga S", "olga@example.com", { is_owner: true, is_admin: true }),
  user(BO, "Bo S", "BO@example.com"),
  user(NEW, "Nina *New*", "nina@example.com"),
  user(REMOVED, "Gone Person", undefined, { deleted: true }),
  user(TWIN_ID, "Twin", "nina@example.com"),
  user("U0GUEST", "Guest", "guest@example.net", { is_restricted: true }),
];

const channel = (id: string, name: string, members: string[], extra: object = {}) => ({
  id,
  name,
  created: START - DAY_SECONDS,
  members,
  purpose: { value: `About ${name}` },
  topic: { value: "" },
  ...extra,
});

export const ts = (seconds: number, micros = 100) =>
  `${START + seconds}.${String(micros).padStart(6, "0")}`;
const post = (seconds: number, from: string, text: string, extra: object = {}) => ({
  type: "message",
  user: from,
  text,
  ts: ts(seconds),
  ...extra,
});

const rich = (...elements: object[]) => [
  { type: "rich_text", elements: [{ type: "rich_text_section", elements }] },
];

const PINS = [
  { id: ts(70), type: "C", user: BO },
  { id: "F0FILE", type: "F", user: BO },
];

const GENERAL = [
  { type: "message", subtype: "channel_join", user: BO, text: "joined", ts: ts(0) },
  post(
    10,
    BO,
    `Hello <@${NEW}> &amp; *all*, see <https://example.com|the site> and <#C0APFEL|äpfel>`,
  ),
  post(20, BO, "", { blocks: rich({ type: "text", text: "only blocks", style: { bold: true } }) }),
  post(30, OLGA, "Shall we *ship* it?\nMore below", { thread_ts: ts(30), reply_count: 2 }),
  post(40, BO, "yes", { thread_ts: ts(30) }),
  post(50, OLGA, "small one", { thread_ts: ts(50), reply_count: 1 }),
  post(60, BO, "small answer", { thread_ts: ts(50) }),
  post(70, BO, "edited", { edited: { user: BO, ts: ts(75) } }),
  post(80, BO, "liked", { reactions: [{ name: "+1::skin-tone-2", users: [OLGA, NEW] }] }),
  post(90, BO, "parrot", { reactions: [{ name: "party_parrot", users: [OLGA] }] }),
  {
    type: "message",
    subtype: "bot_message",
    bot_id: "B0CI",
    username: "CI",
    text: "",
    ts: ts(100),
    attachments: [{ title: "Build 7", title_link: "https://ci.example/7", text: "passed" }],
  },
  {
    type: "message",
    subtype: "tombstone",
    user: BO,
    text: "This message was deleted.",
    ts: ts(110),
  },
  post(120, BO, "dances", { subtype: "me_message" }),
  post(130, BO, "`a *b* &lt;c&gt;` and *bold*"),
  { type: "message", subtype: "huddle_thread", user: "USLACKBOT", text: "", ts: ts(140) },
  post(150, BO, "canvas", { files: [{ id: "F0Q", mode: "quip", name: "Canvas" }] }),
  post(160, BO, "file", {
    files: [{ id: "F0A", name: "plan.txt", mimetype: "text/plain", size: 12 }],
  }),
  post(170, BO, "lost", { files: [{ id: "F0B", name: "lost.pdf", size: 2048 }] }),
  post(180, NEW, "<!channel> look"),
];

const NEXT_DAY = [
  post(DAY_SECONDS, NEW, "next day in the thread", { thread_ts: ts(30) }),
  post(DAY_SECONDS + 1, BO, "Shall we ship it?", {
    thread_ts: ts(DAY_SECONDS + 1),
    reply_count: 2,
  }),
  post(DAY_SECONDS + 2, OLGA, "again?", { thread_ts: ts(DAY_SECONDS + 1) }),
  post(DAY_SECONDS + 3, OLGA, "again!", { thread_ts: ts(DAY_SECONDS + 1) }),
  post(DAY_SECONDS + 4, BO, "x".repeat(12_000)),
];

const json = (name: string, value: unknown): ZipEntry => ({ name, bytes: JSON.stringify(value) });

/** Returns the entries; those of `more` are added, or replace entries of the same name. */
export function slackEntries(extra: readonly ZipEntry[] = []): ZipEntry[] {
  const entries = [
    json("users.json", USERS),
    json("channels.json", [
      channel("C0GEN", "general", [OLGA, BO, NEW, REMOVED], { pins: PINS }),
      channel("C0APFEL", "äpfel", [BO], { is_archived: true }),
    ]),
    json("groups.json", [channel("G0SEC", "secret", [OLGA, NEW])]),
    json("dms.json", [{ id: "D0ONE", created: START, members: [OLGA, BO] }]),
    json("mpims.json", [
      { id: "G0MP", name: "mpdm-a--b--c-1", created: START, members: [OLGA, BO, NEW] },
    ]),
    json("integration_logs.json", []),
    json("general/2018-01-20.json", GENERAL),
    json("general/2018-01-21.json", NEXT_DAY),
    json("äpfel/2018-01-20.json", [post(5, BO, "Äpfel zuerst")]),
    json("secret/2018-01-20.json", [post(15, OLGA, "lantern secret")]),
    json("D0ONE/2018-01-20.json", [post(25, OLGA, "hi <@U0BO>"), post(26, BO, "hi")]),
    json("mpdm-a--b--c-1/2018-01-20.json", [post(35, NEW, "we three")]),
    { name: "__uploads/F0A/plan.txt", bytes: "all is well\n" },
  ];
  const names = new Set(extra.map(({ name }) => name));
  return [...entries.filter(({ name }) => !names.has(name)), ...extra];
}
