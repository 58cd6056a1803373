// Users and rooms of a Campfire database, and records that are not imported.
import type { Reporting } from "../report.ts";
import type { SourceUser } from "../source/records-rules.ts";
import type { Conversation, Kind } from "../source/workspace.ts";
import { keyOfUser } from "./message-body.ts";
import { type CampfireDatabase, numberIn, textIn, timeIn } from "./database.ts";

const ADMINISTRATOR = 1;
const BOT = 2;
const ROWS_MAX = 1_000_000;
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["Rooms::Open", "public"],
  ["Rooms::Closed", "private"],
  ["Rooms::Direct", "direct"],
]);
/** Involvements of users who do not want notifications of a room. */
const MUTED = ["nothing", "invisible"];
/** The involvement of users who want notifications of every message. */
const NOTIFIED = "everything";

export function peopleIn(database: CampfireDatabase): (SourceUser & { id: string })[] {
  const rows = [...database.rows(`SELECT * FROM users ORDER BY id LIMIT ${ROWS_MAX}`)];
  return rows.map((row) => {
    const [id, role] = [numberIn(row, "id") ?? 0, numberIn(row, "role")];
    const [name, email] = [textIn(row, "name") ?? "", textIn(row, "email_address")];
    const password = textIn(row, "password_digest");
    const joined_ms = timeIn(row, "created_at");
    // Older versions have a column `active` instead of `status`.
    const isGone = (numberIn(row, "status") ?? 0) !== 0 || numberIn(row, "active") === 0;
    return {
      ...{ id: keyOfUser(id), name, is_bot: role === BOT, deleted: isGone },
      ...{ is_admin: role === ADMINISTRATOR, location: `users#${id}` },
      profile: { display_name: name, ...(email && !isGone && { email }) },
      ...(joined_ms > 0 && { joined_ms }),
      ...(password && { password_digest: password }),
    };
  });
}

export function roomsIn(database: CampfireDatabase): Conversation[] {
  const members = new Map<number, string[]>();
  const muted = new Map<number, string[]>();
  const notified = new Map<number, string[]>();
  for (const row of database.rows("SELECT * FROM memberships ORDER BY id")) {
    const [room, user] = [numberIn(row, "room_id") ?? 0, keyOfUser(numberIn(row, "user_id") ?? 0)];
    const involvement = textIn(row, "involvement") ?? "";
    const choices = MUTED.includes(involvement)
      ? [muted]
      : involvement === NOTIFIED
        ? [notified]
        : [];
    for (const lists of [members, ...choices]) {
      const members = lists.get(room);
      if (members) members.push(user);
      else lists.set(room, [user]);
    }
  }
  return [...database.rows(`SELECT * FROM rooms ORDER BY id LIMIT ${ROWS_MAX}`)].map((row) => {
    const room = numberIn(row, "id") ?? 0;
    const people = members.get(room) ?? [];
    // A room of an unknown kind becomes private.
    const storedKind = KINDS.get(textIn(row, "type") ?? "") ?? "private";
    const kind = storedKind === "direct" && people.length > 2 ? "group" : storedKind;
    const [name, created] = [textIn(row, "name"), timeIn(row, "created_at")];
    return {
      ...{ id: String(room), folder: String(room), kind, members: people },
      ...(name !== undefined && { name }),
      ...(created > 0 && { created: Math.floor(created / 1_000) }),
      ...{ muted: muted.get(room) ?? [], notified: notified.get(room) ?? [] },
    };
  });
}

/**
 * Tables with records that are not imported: all of them, or only those with a value in `column`.
 */
const OMITTED_ROWS: readonly [table: string, kind: string, column?: string][] = [
  ["webhooks", "A webhook of a bot is left out: create it again."],
  ["bans", "A banned network address is left out."],
  ["memberships", "Unread messages are marked as read.", "unread_at"],
  ["users", "A biography of a user is left out.", "bio"],
];

export function reportRows(database: CampfireDatabase, reporting: Reporting): void {
  for (const [table, kind, column] of OMITTED_ROWS) {
    if (!database.has(table)) continue;
    for (const row of database.rows(`SELECT * FROM ${table}`)) {
      // Older versions lack some columns.
      if (column !== undefined && !row[column]) continue;
      reporting.lost(kind, `${table}#${numberIn(row, "id") ?? ""}`);
    }
  }
}
