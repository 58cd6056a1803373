// A folder or zip file that DiscordChatExporter wrote: a JSON file for each channel and thread.
import { bytesOf } from "../archive/archive.ts";
import {
  countDamage,
  type Damage,
  ignoreDamage,
  INCOMPLETE_MESSAGE,
  unlessDamaged,
  UNUSABLE_RECORD,
} from "../archive/damage.ts";
import type { Archive } from "../archive/entries.ts";
import { partsOf, rowsIn } from "../archive/json-tables.ts";
import type { Part } from "../archive/part-finder.ts";
import { parsed } from "../json-lines.ts";
import { MovingRefused } from "../errors.ts";
import { Reporting } from "../report.ts";
import { shapeValue } from "../json-fields.ts";
import type { SourceFile, SourceUser } from "../source/records-rules.ts";
import { inTimeOrder, type Timed } from "../source/time-order.ts";
import type {
  Conversation,
  FoundMessage,
  OpeningChoices,
  Workspace,
  SourceEmoji,
} from "../source/workspace.ts";
import { assetOf } from "./media-files.ts";
import type { LinkTarget } from "../source/links.ts";
import { linkTargetOf } from "./permalinks.ts";
import { messageOf, timeOf } from "./messages.ts";
import { CHANNEL, type DiscordChannel, type DiscordMessage, GUILD, MESSAGE } from "./shapes.ts";
import { type Destination, DiscordDirectory } from "./users-and-channels.ts";

const HEAD_BYTES = 4_096;
const HEADER_BYTES_MAX = 1_048_576;

interface ChannelFile {
  readonly name: string;
  readonly messages: Part | undefined;
  readonly destination: Destination;
}

export class DiscordExport implements Workspace {
  readonly product = "discord";
  readonly label = "Discord";
  readonly recognizedBy = "conversations";
  private readonly files: ChannelFile[] = [];
  private readonly sources: DiscordDirectory;
  private readonly losses = new Reporting("", "");
  private readonly counting = countDamage(this.losses, INCOMPLETE_MESSAGE);
  /** The first file whose channel has no id. */
  private withoutId: string | undefined;

  private constructor(
    private readonly archive: Archive,
    private readonly publicity: "public" | "private",
  ) {
    this.sources = new DiscordDirectory(publicity, (file, url) => assetOf(archive, file, url));
  }

  /** undefined: no file is one of DiscordChatExporter. */
  static async open(
    archive: Archive,
    { channels = "private" }: OpeningChoices,
  ): Promise<DiscordExport | undefined> {
    const discordExport = new DiscordExport(archive, channels);
    const others: string[] = [];
    for (const name of archive.sizes.keys()) {
      if (!name.endsWith(".json")) continue;
      const isChannel = await unlessDamaged(
        () => startsLikeChannel(archive, name),
        (error) => discordExport.counting.rest(name, error),
      );
      if (isChannel) await discordExport.add(name);
      else others.push(name);
    }
    if (discordExport.files.length === 0) {
      if (discordExport.withoutId === undefined) return undefined;
      throw new MovingRefused("the channel has no id", discordExport.withoutId);
    }
    // Reports no JSON files in folders of media, because users uploaded them.
    const folders = new Set(discordExport.files.map(({ name }) => folderOf(name)));
    for (const name of others.filter((otherName) => folders.has(folderOf(otherName)))) {
      discordExport.losses.lost(
        "A JSON file is no channel of DiscordChatExporter: it is left out.",
        name,
      );
    }
    for (const file of discordExport.files) await discordExport.surveyFile(file);
    return discordExport;
  }

  get users(): readonly (SourceUser & { id: string })[] {
    return this.sources.users;
  }

  get conversations(): readonly Conversation[] {
    return this.sources.conversations;
  }

  /** Direct conversations have no server. */
  get source(): string {
    const { guilds } = this.sources;
    const ids = guilds.size > 0 ? guilds.keys() : this.conversations.map(({ id }) => id);
    return [...ids].sort().join(" ").slice(0, 200);
  }

  get emoji(): SourceEmoji {
    return new Map(
      [...this.sources.emoji].map(([name, entry]) => [name, () => bytesOf(this.archive, entry)]),
    );
  }

  get damage(): MovingRefused | undefined {
    return this.losses.damage;
  }

  reportLosses(reporting: Reporting): void {
    reporting.add(this.losses.report.losses);
    for (const { kind, name = "", isForOwners, members = [] } of this.conversations) {
      if (isForOwners) {
        reporting.lost(UNKNOWN_READERS[this.publicity], `#${name}`);
      } else if (kind === "direct" && members.length < 2) {
        const words =
          "A direct conversation has messages of one person only: the other is unknown.";
        reporting.lost(words, members[0] ?? "");
      } else if (kind === "group") {
        const words = "A group conversation has only the members who wrote in it.";
        reporting.lost(words, name || members.join(", "));
      }
    }
    for (const { name, location } of this.sources.roles.values()) {
      if (name !== "@everyone") reporting.lost("A role is not imported.", `${location} ${name}`);
    }
  }

  /** The files are not sorted by time, and each may be in reverse order. */
  async *messages(): AsyncIterable<FoundMessage> {
    const byKey = new Map(
      this.conversations.map((conversation) => [conversation.id, conversation]),
    );
    for await (const { key, ...found } of inTimeOrder("messages", this.sources.range, this.all())) {
      yield { ...found, conversation: byKey.get(key)! };
    }
  }

  linkTarget(url: URL): LinkTarget | undefined {
    return linkTargetOf(url, this.sources);
  }

  entryOf(_conversation: Conversation, { id }: SourceFile): string | undefined {
    return id !== undefined && this.archive.sizes.has(id) ? id : undefined;
  }

  sizeOf(entry: string): number {
    return this.archive.sizes.get(entry) ?? 0;
  }

  stream(entry: string): AsyncIterable<Uint8Array> {
    return this.archive.stream(entry);
  }

  private async add(name: string): Promise<void> {
    const parts = await partsOf(this.archive, name, this.counting);
    const channel = await this.header(name, parts.get("channel"));
    const guild = await this.header(name, parts.get("guild"));
    // The shapes have the fields of the types.
    const fields = shapeValue(channel, CHANNEL) as DiscordChannel | undefined;
    if (!fields?.id) {
      this.withoutId ??= name;
      return this.losses.lost(UNUSABLE_RECORD, name);
    }
    const server = (shapeValue(guild, GUILD) ?? {}) as { id?: string; name?: string };
    const destination = this.sources.channel(fields, server);
    if (destination) this.files.push({ name, messages: parts.get("messages"), destination });
  }

  /** Reads a field at the top of a file; these fields are small. */
  private async header(name: string, part: Part | undefined): Promise<unknown> {
    if (!part) return undefined;
    return unlessDamaged(
      async () => {
        if (part.to - part.from > HEADER_BYTES_MAX) throw new MovingRefused("is too long", name);
        const pieces: Uint8Array[] = [];
        for await (const piece of this.archive.stream(name, part)) {
          pieces.push(Uint8Array.from(piece));
        }
        return parsed(Buffer.concat(pieces), name);
      },
      // The caller leaves out a file without a channel.
      () => {},
    );
  }

  private async surveyFile(file: ChannelFile): Promise<void> {
    const destination = this.destinationOf(file);
    for await (const { message, location } of this.rows(file, this.counting)) {
      const time = timeOf(message);
      if (time === undefined || !message.id || !message.author?.id) {
        this.losses.lost(INCOMPLETE_MESSAGE, location);
        continue;
      }
      this.sources.range.record(time);
      this.sources.surveyMessage(message, destination, file.name, location);
    }
  }

  /** Looks the channel up again, since a thread may be found before its channel. */
  private destinationOf({ destination }: ChannelFile): Destination {
    const { id } = destination.conversation;
    return { ...destination, conversation: this.sources.byKey(id) ?? destination.conversation };
  }

  private async *all(): AsyncIterable<Timed> {
    for (const file of this.files) {
      const destination = this.destinationOf(file);
      const converting = {
        sources: this.sources,
        entryOf: (url: string | undefined) => assetOf(this.archive, file.name, url),
      };
      // The first pass has counted these losses.
      for await (const { message, location } of this.rows(file, ignoreDamage)) {
        const converted = messageOf(message, destination, converting);
        if (converted) yield { ...converted, key: destination.conversation.id, location };
      }
    }
  }

  private async *rows({ name, messages }: ChannelFile, damage: Damage) {
    for await (const { row, location } of rowsIn(this.archive, name, name, messages, damage)) {
      // The shape has the fields of the type.
      yield { message: shapeValue(row, MESSAGE) as DiscordMessage, location };
    }
  }
}

const UNKNOWN_READERS = {
  public: "The export does not say who can read a channel: it is public.",
  private: "The export does not say who can read a channel: it is private.",
} as const;

const folderOf = (name: string) => name.slice(0, name.lastIndexOf("/") + 1);

async function startsLikeChannel(archive: Archive, name: string): Promise<boolean> {
  let head = "";
  for await (const piece of archive.stream(name, { from: 0, to: HEAD_BYTES })) {
    head += Buffer.from(piece).toString("latin1");
  }
  return /^(?:\u00ef\u00bb\u00bf)?\s*\{\s*"guild"\s*:/.test(head) && head.includes('"channel"');
}
