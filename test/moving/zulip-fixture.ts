/** Zulip exports of several versions, built from the tables' columns, with one row of each kind. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { TAR_END, tarHeader, tarPadding } from "../../src/features/moving/archive/tar-writer.ts";
import { striped } from "../features/upload-fixture.ts";
import {
  ADA,
  BO,
  DUMMY,
  FILE,
  FILE_BYTES,
  type Files,
  GENERAL,
  GUS,
  NEWS,
  OLD,
  OLGA,
  realmTables,
  userTables,
  channelTables,
  REALM,
  SECRET,
  isAtLeast,
  START,
  type Tables,
  type Version,
} from "./zulip-tables.ts";

/** The folder of an export: `change` alters its tables before they are written. */
export function zulipFiles(
  version: Version,
  change: (tables: Tables, messages: Tables) => void = () => {},
): Files {
  const tables: Tables = {
    ...realmTables(version),
    ...userTables(version),
    ...channelTables(version),
  };
  const messages: Tables = {
    zerver_message: messageRows(version),
    zerver_usermessage: flagRows(),
  };
  change(tables, messages);
  const half = Math.ceil(messages["zerver_message"]!.length / 2);
  const files: Files = {};
  const ids = messages["zerver_message"]!.map((row) => Number(row["id"]));
  for (const [index, [from, to]] of [[0, half] as const, [half, ids.length] as const].entries()) {
    const idsOfFile = new Set(ids.slice(from, to));
    files[`messages-00000${index + 1}.json`] = JSON.stringify({
      zerver_usermessage: messages["zerver_usermessage"]!.filter((row) =>
        idsOfFile.has(Number(row["message"])),
      ),
      zerver_message: messages["zerver_message"]!.slice(from, to),
    });
  }
  const picture = striped(120, 120);
  return {
    ...files,
    "realm.json": JSON.stringify({ import_source: "zulip", ...tables }, null, 1),
    "attachment.json": JSON.stringify({ zerver_attachment: [attachment()] }),
    "migration_status.json": JSON.stringify({ zulip_version: version }),
    "uploads/records.json": JSON.stringify([{ path: FILE, s3_path: FILE, realm_id: REALM }]),
    [`uploads/${FILE}`]: FILE_BYTES,
    "avatars/records.json": JSON.stringify([
      { path: `${REALM}/aa.png`, user_profile_id: OLGA },
      { path: `${REALM}/aa.original`, user_profile_id: OLGA },
    ]),
    [`avatars/${REALM}/aa.png`]: picture,
    [`avatars/${REALM}/aa.original`]: picture,
    "emoji/records.json": JSON.stringify([
      { path: `${REALM}/emoji/images/1.png`, file_name: "1.png" },
    ]),
    [`emoji/${REALM}/emoji/images/1.png`]: picture,
    "realm_icons/records.json": JSON.stringify([{ path: `${REALM}/icon.original` }]),
    [`realm_icons/${REALM}/icon.original`]: picture,
  };
}

/** The archive that `manage.py export` writes: one compressed folder. */
export function tarOf(files: Files, root = "zulip-export/"): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    pieces.push(tarHeader(root + name, bytes.length, START), bytes, tarPadding(bytes.length));
  }
  return gzipSync(Buffer.concat([...pieces, TAR_END]));
}

const attachment = () => ({
  ...{ id: 9, file_name: "plan.txt", path_id: FILE, owner: BO, size: FILE_BYTES.length },
  ...{ content_type: "text/plain", create_time: START, messages: [1005] },
});

const MOVE_HISTORY = JSON.stringify([
  {
    ...{ user_id: ADA, timestamp: START + 900, prev_topic: "old topic", topic: "lunch" },
    ...{ prev_content: "before", prev_rendered_content: "<p>before</p>" },
  },
]);

/** Message ids start at 1001. The text of 1002 contains a former name of Olga. */
function messageRows(version: Version): Record<string, unknown>[] {
  const direct = isAtLeast(version, "12") ? "\u0007" : "";
  const rows: [
    sender: number,
    recipient: number,
    subject: string,
    content: string,
    more?: object,
  ][] = [
    [OLGA, 200 + GENERAL, "lunch", "Hello @**Bo Member** and @**all**"],
    [
      BO,
      200 + GENERAL,
      "lunch",
      "thanks @**Olga Old**, see [above](#narrow/channel/20-general/topic/lunch/near/1001)",
      {
        rendered_content:
          '<p>thanks <span class="user-mention" data-user-id="10">@Olga Old</span>' +
          "<script>alert(1)</script></p>",
      },
    ],
    [
      ADA,
      200 + GENERAL,
      "Lunch",
      "after",
      { edit_history: MOVE_HISTORY, last_edit_time: START + 900 },
    ],
    [OLGA, 200 + SECRET, "plans", "hidden lantern"],
    [BO, 200 + GENERAL, "files", `[plan.txt](/user_uploads/${FILE})`, { has_attachment: true }],
    [OLGA, 200 + SECRET, "plans", "seen lantern"],
    // A direct message: Zulip 12 and later address a conversation, earlier versions a user.
    [OLGA, isAtLeast(version, "12") ? 301 : 200 + BO, direct, "just you"],
    [BO, isAtLeast(version, "12") ? 301 : 200 + OLGA, direct, "and you"],
    [ADA, 300, direct, "we three"],
    [6, 200 + NEWS, "", "A notice with #3"],
    [DUMMY, 200 + OLD, "x", "said before"],
    [BO, 200 + GENERAL, "poll", "/poll Tea?\nyes\nno"],
  ];
  return rows.map(([sender, recipient, subject, content, extra], index) => ({
    ...{ id: 1001 + index, sender, recipient, subject, content, realm: REALM },
    ...{ rendered_content: null, date_sent: START + index * 60 + 0.75, sending_client: 1 },
    ...{ last_edit_time: null, edit_history: null, has_attachment: false },
    ...extra,
  }));
}

/** Bo has not read 1001, in which he is mentioned; Olga has starred 1002. */
function flagRows(): Record<string, unknown>[] {
  const row = (user_profile: number, message: number, flags_mask: number) => {
    return { id: message * 100 + user_profile, user_profile, message, flags_mask };
  };
  return [
    row(OLGA, 1001, 1),
    row(BO, 1001, 8 | 16),
    row(ADA, 1001, 1),
    row(OLGA, 1002, 1 | 2 | 8),
    row(BO, 1002, 1),
    row(BO, 1003, 1 | 4),
    row(OLGA, 1004, 1),
    row(OLGA, 1006, 1),
    row(BO, 1006, 512),
    row(OLGA, 1007, 1 | 2048),
    row(BO, 1007, 2048),
    row(OLGA, 1008, 2048),
    row(BO, 1008, 1 | 2048),
    row(GUS, 1005, 1 | 2 | 1024),
  ];
}

/** An export with many messages, a thousand in each file, as Zulip writes them. */
export function manyFiles(count: number): Files {
  const files = zulipFiles("12", ({ zerver_reaction }) => {
    for (let offset = 0; offset < count; offset += 10) {
      zerver_reaction!.push({
        ...{ id: 100 + offset, user_profile: ADA, message: 2_000 + offset, emoji_name: "tada" },
        ...{ emoji_code: "1f389", reaction_type: "unicode_emoji" },
      });
    }
  });
  for (let from = 0; from < count; from += 1_000) {
    const ids = Array.from(
      { length: Math.min(1_000, count - from) },
      (_, index) => 2_000 + from + index,
    );
    const zerver_message = ids.map((id) => ({
      ...{
        id,
        sender: [OLGA, ADA, BO][id % 3],
        recipient: 200 + (id % 7 === 0 ? SECRET : GENERAL),
      },
      ...{ subject: `topic ${id % 20}`, content: `number ${id} ${"words of length ".repeat(10)}` },
      ...{ date_sent: START + id, sending_client: 1, rendered_content: null },
    }));
    const zerver_usermessage = ids.flatMap((message) => [
      { user_profile: OLGA, message, flags_mask: 1 },
      { user_profile: BO, message, flags_mask: message % 5 === 0 ? 0 : 1 },
    ]);
    const name = `messages-${String(3 + from / 1_000).padStart(6, "0")}.json`;
    files[name] = JSON.stringify({ zerver_message, zerver_usermessage });
  }
  return files;
}

/** The unpacked folder. */
export function writeFolder(files: Files, to: string): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), content);
  }
}
