// The storage folder of a Campfire server: its database, and the files of Active Storage.
import { emojiOf } from "../../../text/emoji.ts";
import { INCOMPLETE_MESSAGE } from "../archive/damage.ts";
import type { Archive } from "../archive/entries.ts";
import { Reporting } from "../report.ts";
import type { SourceFile, SourceMessage, SourceUser } from "../source/records-rules.ts";
import { type LinkTarget, pathOn } from "../source/links.ts";
import { isMessageTime, tsOf } from "../source/time-order.ts";
import type {
  Conversation,
  FoundMessage,
  OpeningChoices,
  Workspace,
  SourceEmoji,
} from "../source/workspace.ts";
import { keyOfUser, markdownOfBody } from "./message-body.ts";
import { CampfireDatabase, numberIn, textIn, timeIn } from "./database.ts";
import { peopleIn, roomsIn, reportRows } from "./users-and-rooms.ts";

const MESSAGES = `
  SELECT messages.*, texts.body AS body, texts.created_at AS written, texts.updated_at AS changed
  FROM messages LEFT JOIN action_text_rich_texts texts
  ON texts.record_type = 'Message' AND texts.record_id = messages.id AND texts.name = 'body'
  ORDER BY messages.created_at, messages.id`;
const BOOSTS = "SELECT booster_id, content FROM boosts WHERE message_id = ? ORDER BY id";
const FILES = `
  SELECT blobs.* FROM active_storage_attachments attachments
  JOIN active_storage_blobs blobs ON blobs.id = attachments.blob_id
  WHERE attachments.record_type = ? AND attachments.record_id = ? AND attachments.name = ?`;
/** The address of a room, or of a message in it. */
const ROOM = /^\/rooms\/(\d{1,15})(?:\/@(\d{1,15}))?\/?$/;
const EDIT_MS_MIN = 1_000;
const BOOSTS_MAX = 1_000;

export class CampfireExport implements Workspace {
  readonly product = "campfire";
  readonly label = "Campfire";
  readonly emoji: SourceEmoji = new Map();
  readonly users: readonly (SourceUser & { id: string })[];
  readonly conversations: readonly Conversation[];
  /** Entries by the last part of their names. */
  private readonly entries = new Map<string, string>();
  private readonly keys: ReadonlySet<string>;
  /** Losses of the messages that were read last. */
  private losses = new Reporting("", "");

  private constructor(
    private readonly archive: Archive,
    private readonly database: CampfireDatabase,
    private readonly oldUrl: string | undefined,
  ) {
    for (const entry of archive.sizes.keys()) {
      this.entries.set(entry.slice(entry.lastIndexOf("/") + 1), entry);
    }
    this.users = peopleIn(database).map((user) => {
      const picture = this.filesOf("User", user.id.slice(2), "avatar")[0]?.id;
      return picture === undefined ? user : { ...user, picture };
    });
    this.keys = new Set(this.users.map(({ id }) => id));
    this.conversations = roomsIn(database);
  }

  /** undefined: the archive has no database of Campfire. */
  static async open(
    archive: Archive,
    { oldUrl }: OpeningChoices,
  ): Promise<CampfireExport | undefined> {
    const database = await CampfireDatabase.find(archive);
    if (!database) return undefined;
    try {
      return new CampfireExport(archive, database, oldUrl);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.database.close();
  }

  /** Identifies the server by the creation time of its account, which is made once at set-up. */
  get source(): string {
    if (!this.database.has("accounts")) return "campfire";
    const [account = {}] = [...this.database.rows("SELECT * FROM accounts ORDER BY id LIMIT 1")];
    return `campfire ${textIn(account, "created_at") ?? ""}`;
  }

  reportLosses(reporting: Reporting): void {
    reportRows(this.database, reporting);
    reporting.add(this.losses.report.losses);
  }

  async *messages(): AsyncIterable<FoundMessage> {
    this.losses = new Reporting("", "");
    const byRoom = new Map(
      this.conversations.map((conversation) => [conversation.id, conversation]),
    );
    for (const row of this.database.rows(MESSAGES)) {
      const id = numberIn(row, "id") ?? 0;
      const location = `messages#${id}`;
      const time = timeIn(row, "created_at");
      const conversation = byRoom.get(String(numberIn(row, "room_id") ?? ""));
      if (!conversation) {
        this.losses.lost("A message belongs to a deleted room.", location);
        continue;
      }
      if (!isMessageTime(time)) {
        this.losses.lost(INCOMPLETE_MESSAGE, location);
        continue;
      }
      const losses: string[] = [];
      const message = this.messageOf(row, id, time, losses);
      yield { conversation, message, location, lost: losses };
    }
  }

  /** The database does not contain the URL of the server. */
  linkTarget(url: URL): LinkTarget | undefined {
    const [, conversation, message] = ROOM.exec(pathOn(this.oldUrl, url) ?? "") ?? [];
    if (conversation === undefined) return undefined;
    return { conversation, ...(message !== undefined && { message }) };
  }

  entryOf(_conversation: Conversation, { id }: SourceFile): string | undefined {
    return id;
  }

  sizeOf(entry: string): number {
    return this.archive.sizes.get(entry) ?? 0;
  }

  stream(entry: string): AsyncIterable<Uint8Array> {
    return this.archive.stream(entry);
  }

  private messageOf(
    row: Record<string, unknown>,
    id: number,
    time: number,
    losses: string[],
  ): SourceMessage & { ts: string } {
    const body = textIn(row, "body") ?? "";
    const edited = timeIn(row, "changed");
    const isEdited = edited - timeIn(row, "written") >= EDIT_MS_MIN;
    return {
      type: "message",
      user: keyOfUser(numberIn(row, "creator_id") ?? 0),
      ...{ ts: tsOf(time), key: String(id), text: "" },
      markdown: markdownOfBody(body, (key) => this.keys.has(key)),
      ...(isEdited && isMessageTime(edited) && { edited: { ts: tsOf(edited) } }),
      reactions: this.boostsOf(id, losses),
      files: this.filesOf("Message", String(id), "attachment"),
    };
  }

  /** Converts boosts to reactions. A boost has up to 16 characters: emoji or text. */
  private boostsOf(id: number, losses: string[]): NonNullable<SourceMessage["reactions"]> {
    if (!this.database.has("boosts")) return [];
    const reactions = new Map<string, string[]>();
    for (const row of this.database.rows(BOOSTS, id)) {
      const [content, booster] = [
        textIn(row, "content")?.trim() ?? "",
        numberIn(row, "booster_id"),
      ];
      const emoji = emojiIn(content);
      if (emoji.length === 0) losses.push("A boost is text instead of an emoji.");
      for (const letters of booster !== undefined && reactions.size < BOOSTS_MAX ? emoji : []) {
        const users = reactions.get(letters);
        if (users) users.push(keyOfUser(booster!));
        else reactions.set(letters, [keyOfUser(booster!)]);
      }
    }
    // A user may have boosted a message several times with the same emoji.
    return [...reactions].map(([letters, users]) => {
      return { name: letters, letters, users: [...new Set(users)] };
    });
  }

  private filesOf(type: string, id: string, name: string): SourceFile[] {
    const { database } = this;
    const isStored =
      database.has("active_storage_attachments") && database.has("active_storage_blobs");
    if (!isStored) return [];
    return [...database.rows(FILES, type, Number(id), name)].map((row): SourceFile => {
      const entry = this.entries.get(textIn(row, "key") ?? "");
      const [mimetype, size] = [textIn(row, "content_type"), numberIn(row, "byte_size")];
      return {
        name: textIn(row, "filename") ?? "file",
        ...(entry !== undefined && { id: entry }),
        ...(mimetype !== undefined && { mimetype }),
        ...(size !== undefined && { size }),
      };
    });
  }
}

const SEGMENTER = new Intl.Segmenter();

/** Number of UTF-16 code units that 16 characters of any kind do not exceed. */
const BOOST_LENGTH_MAX = 64;

/** Empty if the text has anything but emoji. */
function emojiIn(text: string): string[] {
  if (text.length > BOOST_LENGTH_MAX) return [];
  const letters = [...SEGMENTER.segment(text)].map(({ segment }) => segment);
  return letters.every(isEmoji) ? letters : [];
}

/** Some characters are emoji only with a variation selector; a skin tone is removed later. */
function isEmoji(letters: string): boolean {
  const withoutTone = letters.replaceAll(/\p{Emoji_Modifier}/gu, "");
  return [letters, withoutTone].some((emoji) => emojiOf(emoji) ?? emojiOf(`${emoji}\ufe0f`));
}
