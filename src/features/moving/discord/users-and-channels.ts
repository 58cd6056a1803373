// Users, channels, threads and custom emoji of a Discord export, collected from all its files.
import { emojiCode } from "../../../text/emoji.ts";
import { emojiNameOf, hasEmojiLetters } from "../../emoji/rules.ts";
import { keyOfUser, type SourceUser } from "../source/records-rules.ts";
import { TimeRange } from "../source/time-order.ts";
import type { Conversation } from "../source/workspace.ts";
import { channelKindOf } from "./kinds-rules.ts";
import { markdownOf, withPlainNames } from "./markdown.ts";
import type { DiscordChannel, DiscordEmoji, DiscordMessage, DiscordUser } from "./shapes.ts";

/** The conversation, and maybe the thread, of a file's messages. */
export interface Destination {
  readonly conversation: Conversation;
  /** undefined: not a thread. */
  readonly thread?: { readonly id: string; readonly name: string };
}

/** The emoji in the text and in the cards of a message. */
export function emojiIn({ inlineEmojis = [], embeds = [] }: DiscordMessage): DiscordEmoji[] {
  return [...inlineEmojis, ...embeds.flatMap((embed) => embed.inlineEmojis ?? [])];
}

const ID_LENGTH_MAX = 100;

interface Role {
  readonly name: string;
  readonly location: string;
}

export class DiscordDirectory {
  readonly range = new TimeRange();
  readonly guilds = new Map<string, string>();
  readonly roles = new Map<string, Role>();
  /** Entries of the archive, by the names that the emoji have here. */
  readonly emoji = new Map<string, string>();
  /** The id of each custom emoji in Discord, by its name here. */
  private readonly emojiIds = new Map<string, string>();
  private readonly people = new Map<string, SourceUser & { id: string }>();
  private readonly channels = new Map<string, Conversation>();
  private readonly destinations = new Map<string, Destination>();
  private readonly members = new Map<string, Set<string>>();

  constructor(
    private readonly publicity: "public" | "private",
    /** The entry with the bytes of an asset. */
    private readonly entryOf: (file: string, url: string | undefined) => string | undefined,
  ) {}

  get users(): (SourceUser & { id: string })[] {
    return [...this.people.values()];
  }

  get conversations(): Conversation[] {
    return [...this.channels.values()].map((channel) => {
      const { id, kind, purpose } = channel;
      const members = [...(this.members.get(id) ?? [])];
      // A direct conversation may have only one known member, if the other never wrote.
      return {
        ...channel,
        ...(purpose && { purpose: { value: this.plainTopic(purpose.value ?? "", id) } }),
        members,
        kind: members.length > 2 && kind === "direct" ? "group" : kind,
      };
    });
  }

  /** The topic of a channel, where mentions and links are only text. */
  private plainTopic(topic: string, channel_id: string): string {
    const text = markdownOf(topic, {
      ...{ mentioned: new Map(), shortNames: new Map() },
      isUser: (id) => this.isUser(id),
      channel: (id) => this.destinationOf(id)?.conversation.id,
      role: (id) => this.roles.get(id)?.name,
      emoji: (_id, name) => name,
    });
    return withPlainNames(text, (key) => {
      const channel = this.channels.get(key);
      const isHidden = channel?.kind === "private" && key !== channel_id;
      const channelName = isHidden ? "private channel" : channel?.name;
      return this.people.get(key)?.profile?.display_name ?? channelName;
    });
  }

  isUser(id: string): boolean {
    return this.people.has(keyOfUser(id));
  }

  destinationOf(channel_id: string): Destination | undefined {
    return this.destinations.get(channel_id);
  }

  byKey(id: string): Conversation | undefined {
    return this.channels.get(id);
  }

  /** Returns the conversation for the messages of a file; undefined if the kind has no messages. */
  channel(channel: DiscordChannel, guild: { id?: string; name?: string }): Destination | undefined {
    const { category, topic = "" } = channel;
    const [id = "", categoryId] = [channel.id, channel.categoryId].map((value) =>
      value?.slice(0, ID_LENGTH_MAX),
    );
    const { name = id } = channel;
    const kind = channelKindOf(channel.type);
    if (kind === "none") return undefined;
    const existing = this.destinations.get(id);
    // A thread can name its channel before the channel's own file is read.
    if (existing && kind !== "channel") return existing;
    const destination = this.created(kind, { id, categoryId, category, name, topic }, guild);
    this.destinations.set(id, destination);
    return destination;
  }

  private created(
    kind: ReturnType<typeof channelKindOf>,
    channel: { id: string; categoryId?: string; category?: string; name: string; topic: string },
    guild: { id?: string; name?: string },
  ): Destination {
    const { id, categoryId, category, name, topic } = channel;
    const purpose = { value: topic };
    if (kind === "direct" || kind === "group") {
      return { conversation: this.add({ id, folder: id, kind, name }) };
    }
    this.guilds.set(guild.id ?? "", guild.name ?? "");
    if (kind === "thread" && categoryId !== undefined) {
      const parent =
        this.channels.get(categoryId) ??
        this.add({ ...this.shared(categoryId, category ?? categoryId), ...this.teamOf(guild) });
      return { conversation: parent, thread: { id, name } };
    }
    if (kind !== "channel") {
      const fullTitle = category ? `${category}: ${name}` : name;
      return {
        conversation: this.add({ id, folder: id, kind: "private", name: fullTitle, purpose }),
      };
    }
    const team = this.teamOf(guild, category);
    return { conversation: this.add({ ...this.shared(id, name), ...team, purpose }) };
  }

  private shared(id: string, name: string): Conversation {
    return { id, folder: id, kind: this.publicity, name, isForOwners: true };
  }

  /**
   * Returns the category of the channel, preceded by the server's name if there are several
   * servers.
   */
  private teamOf({ id = "", name = "" }: { id?: string; name?: string }, category?: string) {
    const [first] = this.guilds.keys();
    const server = first === id ? "" : name;
    const team = [server, category].filter(Boolean).join(": ");
    return team === "" ? {} : { team };
  }

  private add(conversation: Conversation): Conversation {
    this.channels.set(conversation.id, conversation);
    return conversation;
  }

  /** Records the users, emoji and time of a message, but not its content. */
  surveyMessage(
    message: DiscordMessage,
    { conversation }: Destination,
    file: string,
    location: string,
  ): void {
    const { author, mentions = [], reactions = [] } = message;
    const members = this.members.get(conversation.id) ?? new Set();
    this.members.set(conversation.id, members);
    if (author?.id) {
      members.add(keyOfUser(author.id));
      this.user(author, file, location);
    }
    for (const user of mentions) this.user(user, file, location);
    for (const { emoji, users = [] } of reactions) {
      if (emoji) this.customEmoji(emoji, file);
      for (const user of users) this.user(user, file, location);
    }
    for (const emoji of emojiIn(message)) this.customEmoji(emoji, file);
  }

  /** Records a user. The last name and the first avatar of a user are kept. */
  private user(user: DiscordUser, file: string, location: string): void {
    const { id, name, nickname, isBot = false, roles = [], avatarUrl } = user;
    if (!id) return;
    for (const role of roles) {
      if (role.id && role.name) this.roles.set(role.id, { name: role.name, location });
    }
    const key = keyOfUser(id);
    const before = this.people.get(key);
    const picture = before?.picture ?? this.entryOf(file, avatarUrl);
    this.people.set(key, {
      ...{ id: key, is_bot: isBot, location: before?.location ?? location },
      ...(name !== undefined && { name }),
      profile: { display_name: nickname || name || before?.profile?.display_name || id },
      ...(picture !== undefined && { picture }),
    });
  }

  /** Unicode emoji have no id. */
  private customEmoji({ id, name = "", imageUrl }: DiscordEmoji, file: string): void {
    const emojiName = id ? this.emojiNameOf({ id, name }) : undefined;
    const entry = emojiName && this.entryOf(file, imageUrl);
    if (emojiName && entry && hasEmojiLetters(emojiName)) this.emoji.set(emojiName, entry);
  }

  /** If another emoji has the name, part of the id is added to it. */
  emojiNameOf({ id = "", name = "" }: DiscordEmoji): string {
    const base = emojiNameOf(name.toLowerCase());
    const isTaken = (candidate: string) =>
      emojiCode(candidate) !== undefined || (this.emojiIds.get(candidate) ?? id) !== id;
    const freeName = isTaken(base) ? `${base}_${id.slice(-4)}` : base;
    this.emojiIds.set(freeName, id);
    return freeName;
  }
}
