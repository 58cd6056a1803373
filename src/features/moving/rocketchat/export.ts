// A dump of Rocket.Chat's database: users, rooms, and messages in order of time.
import {
  countDamage,
  type Damage,
  ignoreDamage,
  INCOMPLETE_MESSAGE,
  refuseDamage,
} from "../archive/damage.ts";
import type { Archive } from "../archive/entries.ts";
import { GunzippedArchive } from "../archive/gunzip-entries.ts";
import { MovingRefused } from "../errors.ts";
import type { Reporting } from "../report.ts";
import { shapeValue } from "../json-fields.ts";
import { EmojiNames, reportEmoji } from "../source/emoji-names.ts";
import { keyOfUser, type SourceFile, type SourceUser } from "../source/records-rules.ts";
import type { LinkTarget } from "../source/links.ts";
import { inTimeOrder, isMessageTime, TimeRange, type Timed } from "../source/time-order.ts";
import type {
  Conversation,
  FoundMessage,
  OpeningChoices,
  Workspace,
  SourceEmoji,
} from "../source/workspace.ts";
import { type DumpDocument, documentsOf, isDump } from "./dump.ts";
import { rocketEmojiName } from "./emoji-names.ts";
import { isChunks, RocketFiles } from "./files.ts";
import { type Converting, isOldVersion, messageOf, tsOfMessage } from "./messages.ts";
import { linkTargetOf } from "./permalinks.ts";
import { MESSAGE, type RocketMessage } from "./shapes.ts";
import { RocketDirectory } from "./users-and-rooms.ts";

const MESSAGES = "rocketchat_message";
const SMALL = new Set([
  ...["users", "rocketchat_room", "rocketchat_subscription", "rocketchat_team"],
  "rocketchat_team_member",
]);
/** A damaged document of these collections cannot be left out. */
const ESSENTIAL: readonly string[] = ["users", "rocketchat_room"];
const SETTINGS = "rocketchat_settings";
/** The setting with the URL of the server. */
const SITE_URL = "Site_Url";
const SERVER_ID = "uniqueID";
const EMOJI = "rocketchat_custom_emoji";
const EMOJI_FILES = "custom_emoji.files";
const AVATARS = "rocketchat_avatars";
const EMOJI_BYTES_MAX = 16 * 1_048_576;

const PACKED = /(?:^|\/)([\w.-]+)\.bson\.gz$/;

const isPacked = (name: string) => isWanted(PACKED.exec(name)?.[1] ?? "");

const isWanted = (collection: string) =>
  SMALL.has(collection) ||
  isChunks(collection) ||
  [MESSAGES, SETTINGS, EMOJI, EMOJI_FILES, AVATARS].includes(collection);

/** A document about a picture. */
interface RocketEntry {
  _id?: string;
  name?: string;
  extension?: string;
  userId?: string;
  filename?: string;
  /** Other names of a custom emoji. */
  aliases?: string[];
}

export class RocketExport implements Workspace {
  readonly product = "rocketchat";
  readonly label = "Rocket.Chat";
  readonly recognizedBy = "messages";
  private readonly sources = new RocketDirectory();
  private readonly range = new TimeRange();
  private readonly roots = new Map<string, string>();
  private readonly emojiNames = new EmojiNames("rocketchat", rocketEmojiName);
  /** The id of the picture of each custom emoji, and where the dump names it. */
  private readonly emojiFiles = new Map<string, { id: string; location: string }>();
  /** Ids of emoji files by their names; newer versions use the name as the id. */
  private readonly emojiIds = new Map<string, string>();
  private readonly avatars = new Map<string, string>();
  /** Avatars of older versions have only the name of the user. */
  private readonly avatarsByName = new Map<string, string>();
  private readonly files: RocketFiles;
  private oldVersions = 0;
  private serverId: string | undefined;
  /** Messages of each room, with the location of the first. */
  private readonly counts = new Map<string, { count: number; readonly location: string }>();

  private constructor(
    private readonly archive: GunzippedArchive,
    private url: string | undefined,
  ) {
    this.files = new RocketFiles(archive);
  }

  /** Returns undefined if the archive is not a dump of MongoDB. */
  static async open(given: Archive, { oldUrl }: OpeningChoices): Promise<RocketExport | undefined> {
    const archive = await GunzippedArchive.open(given, isPacked);
    try {
      if (!(await isDump(archive))) return undefined;
      const rocketExport = new RocketExport(archive, oldUrl);
      const damageOf = (collection: string) => rocketExport.damageOf(collection);
      for await (const document of documentsOf(archive, isWanted, damageOf))
        rocketExport.addDocument(document);
      if (rocketExport.sources.rooms.size > 0) return rocketExport;
      throw new MovingRefused("Not a dump of Rocket.Chat: it has no collection rocketchat_room");
    } catch (error) {
      await archive.closeFiles();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.archive.closeFiles();
  }

  get users(): readonly (SourceUser & { id: string })[] {
    const namedAvatars = [...this.avatarsByName].map(([name, id]) => {
      return [this.sources.userKey(name) ?? "", id] as const;
    });
    const avatars = new Map([...namedAvatars, ...this.avatars]);
    return this.sources.users.map((user) => {
      const id = avatars.get(user.id);
      const picture = id && this.files.find("avatars", id);
      return picture ? { ...user, picture } : user;
    });
  }

  get conversations(): readonly Conversation[] {
    return this.sources.conversations;
  }

  get source(): string {
    return this.serverId ?? this.sources.firstUser;
  }

  get emoji(): SourceEmoji {
    const emoji = this.customEmoji().flatMap(({ name, entry }) => {
      if (name === undefined || entry === undefined) return [];
      return [[name, () => this.bytesOf(entry)] as const];
    });
    return new Map(emoji);
  }

  /** All custom emoji of the dump, with the names that they get here. */
  private customEmoji() {
    return [...this.emojiFiles].map(([given, { id, location }]) => {
      const found_id = this.emojiIds.get(id) ?? this.emojiIds.get(encodeURIComponent(id));
      const ids = [id, encodeURIComponent(id), found_id ?? ""];
      const entry = ids
        .map((entry) => this.files.find("emoji", entry))
        .find((file) => file !== undefined);
      return { given, name: this.emojiNames.addCustom(given), entry, location };
    });
  }

  get damage(): MovingRefused | undefined {
    return this.sources.losses.damage;
  }

  reportLosses(reporting: Reporting): void {
    this.sources.reportLosses(reporting);
    if (this.oldVersions > 0) {
      const kind = "An earlier version of an edited message is left out.";
      reporting.lost(kind, MESSAGES, this.oldVersions);
    }
    for (const [rid, { count, location }] of this.counts) {
      if (this.sources.rooms.has(rid)) continue;
      reporting.lost("A message belongs to a room that is not in the dump.", location, count);
    }
    for (const emoji of this.customEmoji()) reportEmoji(emoji, reporting);
  }

  async *messages(): AsyncIterable<FoundMessage> {
    const byKey = new Map(
      this.conversations.map((conversation) => [conversation.id, conversation]),
    );
    for await (const { key, ...found } of inTimeOrder(MESSAGES, this.range, this.all())) {
      yield { ...found, conversation: byKey.get(key)! };
    }
  }

  linkTarget(url: URL): LinkTarget | undefined {
    return linkTargetOf(url, this.sources, this.url);
  }

  entryOf(_conversation: Conversation, { id }: SourceFile): string | undefined {
    return id;
  }

  sizeOf(entry: string): number {
    return this.files.sizeOf(entry);
  }

  stream(entry: string): AsyncIterable<Uint8Array> {
    return this.files.stream(entry);
  }

  /** A dump whose messages end early is rejected, because it may lack any number of them. */
  private damageOf(collection: string): Damage {
    const counted = countDamage(this.sources.losses, INCOMPLETE_MESSAGE);
    const refused = refuseDamage(() => {});
    if (ESSENTIAL.includes(collection)) return refused;
    return collection === MESSAGES ? { ...counted, rest: refused.rest } : counted;
  }

  private addDocument(document: DumpDocument): void {
    const { collection, value, location } = document;
    if (SMALL.has(collection)) return this.sources.take(collection, value, location);
    if (isChunks(collection)) return this.files.take(document);
    if (collection === MESSAGES)
      return this.note(shapeValue(value, MESSAGE) as RocketMessage, location);
    if (collection === SETTINGS) {
      const setting = shapeValue(value, { _id: "text", value: "any" }) as {
        _id?: string;
        value?: unknown;
      };
      const text = typeof setting.value === "string" ? setting.value : "";
      if (setting._id === SITE_URL && text) this.url ??= text;
      if (setting._id === SERVER_ID && text) this.serverId = text.slice(0, 100);
      return;
    }
    const fields = {
      ...({ _id: "text", name: "text", extension: "text", userId: "text" } as const),
      ...({ filename: "text", aliases: ["text"] } as const),
    } as const;
    // The shape has the fields of the type.
    const entry = shapeValue(value, fields) as RocketEntry;
    const { _id = "", name, filename, userId, aliases = [] } = entry;
    if (collection === EMOJI && name) {
      for (const alias of [name, ...aliases]) {
        this.emojiFiles.set(alias, { id: `${name}.${entry.extension ?? ""}`, location });
        this.emojiNames.addCustom(alias);
      }
    }
    if (collection === EMOJI_FILES && filename) this.emojiIds.set(filename, _id);
    if (collection !== AVATARS) return;
    if (userId) this.avatars.set(keyOfUser(userId), _id);
    else if (name) this.avatarsByName.set(name, _id);
  }

  private note(message: RocketMessage, location: string): void {
    const { _id, ts = 0, rid, u, tcount = 0, tmid } = message;
    if (isOldVersion(message)) {
      this.oldVersions += 1;
      return;
    }
    if (!_id || !isMessageTime(ts) || !rid || !u?._id) {
      this.sources.losses.lost(INCOMPLETE_MESSAGE, location);
      return;
    }
    this.range.record(ts);
    const count = this.counts.get(rid);
    if (count) count.count += 1;
    else this.counts.set(rid, { count: 1, location });
    if (tcount > 0 && tmid === undefined) this.roots.set(_id, tsOfMessage(_id, ts));
  }

  private async *all(): AsyncIterable<Timed> {
    const { sources, files, roots } = this;
    const converting: Converting = {
      users: { byName: (username) => sources.userKey(username) },
      rooms: {
        byName: (name) => sources.roomId(name),
        destinationOf: (id) => sources.destinationOf(id),
      },
      emoji: this.emojiNames,
      roots,
      findFile: (id) => files.find("uploads", id),
    };
    // The first pass has counted the losses.
    const isMessages = (collection: string) => collection === MESSAGES;
    const messages = documentsOf(this.archive, isMessages, () => ignoreDamage);
    for await (const { value, location } of messages) {
      // The shape has the fields of the type.
      const message = shapeValue(value, MESSAGE) as RocketMessage;
      const destination = sources.destinationOf(message.rid ?? "");
      if (isOldVersion(message) || !destination) continue;
      const converted = messageOf(message, destination, converting);
      if (converted) yield { ...converted, key: destination.conversation.id, location };
    }
  }

  private async bytesOf(key: string): Promise<Uint8Array> {
    const size = this.files.sizeOf(key);
    if (size > EMOJI_BYTES_MAX) throw new MovingRefused("is too large", key);
    const pieces: Uint8Array[] = [];
    for await (const piece of this.files.stream(key)) pieces.push(Uint8Array.from(piece));
    return Buffer.concat(pieces);
  }
}
