// Converts messages of an archive to those of this server, and counts what is lost.
import { emojiCode, emojiName, emojiOf } from "../../../text/emoji.ts";
import { CUSTOM_EMOJI, type Emoji, UNICODE_EMOJI } from "../../emoji/access.ts";
import type { Reporting } from "../report.ts";
import { hiddenKinds } from "../source/blocks.ts";
import { inParts } from "../source/message-parts.ts";
import { cardsOf, textOf } from "../source/message-text.ts";
import { NOTICES, secondsOf, type SourceFile } from "../source/records-rules.ts";
import { unicodeEmojiName } from "../source/emoji-names.ts";
import type { MentionNames } from "../source/inserted-names.ts";
import type { SenderKeys } from "./sender-keys.ts";
import { nameOf } from "./users.ts";
import type { Conversation, FoundMessage, Workspace } from "../source/workspace.ts";
import { type Placed, Threads } from "./thread-topics.ts";

const SUPPORTED_TYPES: ReadonlySet<string> = new Set([
  ...["me_message", "bot_message", "thread_broadcast", "file_share", "file_comment", "tombstone"],
  ...["slackbot_response", "reply_broadcast"],
]);
const REACTIONS_MAX = 1_000;
const UNNAMED_USERS = "The export counts a reaction of a user whom it does not name.";

export interface Converted extends Placed {
  readonly key: string;
  readonly sender: string;
  readonly username: string | undefined;
  readonly timestamp: number;
  readonly edited: number | null;
  /** Each part becomes a message. The files are attached to the last part. */
  readonly parts: readonly string[];
  readonly files: readonly SourceFile[];
  readonly reactions: readonly (Emoji & { users: string[] })[];
}

export class Converting {
  private readonly threads: Threads;
  private readonly userNames: ReadonlyMap<string, string>;
  private readonly channels: ReadonlyMap<string, Conversation>;

  constructor(
    workspace: Workspace,
    private readonly senders: SenderKeys,
    private readonly namesIn: (place: Conversation) => MentionNames,
    private readonly reporting: Reporting,
    /** The id of a custom emoji on this server. */
    private readonly customEmoji: (name: string) => number | undefined,
    /** The topic here of a message that an earlier run has imported, by the message's key. */
    earlierTopic: (conversation: Conversation, key: string) => string | undefined = () => undefined,
  ) {
    this.threads = new Threads((sourceMessage) =>
      earlierTopic(sourceMessage.conversation, keyOf(sourceMessage)),
    );
    this.userNames = new Map(workspace.users.map((user) => [user.id, nameOf(user)]));
    const { conversations } = workspace;
    this.channels = new Map(conversations.map((conversation) => [conversation.id, conversation]));
  }

  /** Topic names are derived from the archive's names, so that every run gives the same ones. */
  private ownNamesIn(place: Conversation): MentionNames {
    return {
      user: (id, label) => `@${this.userNames.get(id) ?? label ?? id}`,
      channel: (id, name) => {
        const channel = this.channels.get(id);
        if (channel?.kind === "private" && id !== place.id) return "#private channel";
        return `#${name ?? channel?.name ?? id}`;
      },
    };
  }

  /** The topic of a thread that has messages so far. */
  topicOf(conversation: string, thread: string): string | undefined {
    return this.threads.topicOf(conversation, thread);
  }

  /** undefined if there is nothing to write. */
  convert(sourceMessage: FoundMessage): Converted | undefined {
    const { message, location } = sourceMessage;
    const { subtype = "", ts, edited } = message;
    for (const kind of sourceMessage.lost ?? []) this.reporting.lost(kind, location);
    if (NOTICES.has(subtype)) return this.skipped("notices");
    if (subtype === "message_deleted") {
      this.reporting.lost("A deleted message in a log of deletions is left out.", location);
      return undefined;
    }
    if (subtype === "huddle_thread" || subtype === "sh_room_created") {
      this.reporting.lost("A huddle is left out.", location);
      return undefined;
    }
    if (subtype !== "" && !SUPPORTED_TYPES.has(subtype)) {
      this.reporting.lost(
        `A message is of the unknown kind ${subtype}: its text is kept.`,
        location,
      );
    }
    const blocks = [message, ...(message.attachments ?? [])].flatMap((part) => part.blocks ?? []);
    for (const kind of hiddenKinds(blocks)) {
      this.reporting.lost(`A part of an app's message is left out: ${kind}.`, location);
    }
    const names = this.namesIn(sourceMessage.conversation);
    const text = textOf(message, names);
    const topic = this.threads.topicFor(sourceMessage, () => {
      return textOf(message, this.ownNamesIn(sourceMessage.conversation));
    });
    const quote = topic.quote ? `> ${topic.quote}\n\n` : "";
    const body = [text, cardsOf(message, names)].filter((part) => part.trim() !== "");
    const files = (message.files ?? []).filter((file) => !this.isCanvas(file, location));
    const parts = inParts((quote + body.join("\n\n")).replaceAll("\0", ""));
    if (parts.length === 0 && files.length === 0) {
      this.reporting.lost("A message has no text that can be shown.", location);
      return undefined;
    }
    if (parts.length > 1) this.reporting.countFound("messages in several parts");
    return {
      ...topic,
      key: keyOf(sourceMessage),
      sender: this.senders.keyOf(message),
      username: typeof message.username === "string" ? message.username : undefined,
      timestamp: secondsOf(ts),
      edited: secondsOf(edited?.ts) || null,
      parts,
      files,
      reactions: this.reactionsOf(sourceMessage),
    };
  }

  private reactionsOf({ message, location }: FoundMessage): Converted["reactions"] {
    return (message.reactions ?? [])
      .slice(0, REACTIONS_MAX)
      .flatMap(({ name = "", letters, users = [], count = 0 }) => {
        if (count > users.length)
          this.reporting.lost(UNNAMED_USERS, location, count - users.length);
        const [baseName = "", tone] = String(name).split("::");
        if (tone !== undefined) this.reporting.lost("A reaction loses its skin tone.", location);
        const unicode = codeOfLetters(letters) ?? codeOfLetters(withoutTone(letters));
        const isToneless = unicode !== undefined && codeOfLetters(letters) === undefined;
        if (isToneless) this.reporting.lost("A reaction loses its skin tone.", location);
        // Names such as `simple_smile` have a meaning in Slack, but may be custom emoji elsewhere.
        const custom = unicode ? undefined : this.customEmoji(baseName);
        if (custom !== undefined) {
          const fields = { emoji_name: baseName, users: users.map(String) };
          return { ...fields, emoji_code: String(custom), reaction_type: CUSTOM_EMOJI };
        }
        const emoji_name = unicode ? nameOfCode(unicode, baseName) : unicodeEmojiName(baseName);
        const emoji_code = unicode ?? emojiCode(emoji_name ?? "");
        if (emoji_name && emoji_code) {
          const fields = { emoji_name, users: users.map(String) };
          return { ...fields, emoji_code, reaction_type: UNICODE_EMOJI };
        }
        this.reporting.lost(
          "A reaction is a custom emoji, which the export does not have.",
          location,
        );
        return [];
      });
  }

  private isCanvas({ mode, filetype }: SourceFile, location: string): boolean {
    const isOne = mode === "quip" || filetype === "quip" || mode === "list" || filetype === "list";
    if (isOne) this.reporting.lost("A canvas or list is left out.", location);
    return isOne;
  }

  private skipped(kind: string): undefined {
    this.reporting.countFound(kind);
    return undefined;
  }
}

/** Identifies a message in its archive and in later ones. */
export const keyOf = ({ conversation, message }: FoundMessage) =>
  `${conversation.id}/${message.key || message.ts}`;

/** An emoji may have several names here. */
const nameOfCode = (code: string, fallbackName: string) =>
  emojiCode(fallbackName) === code ? fallbackName : emojiName(code);

const withoutTone = (letters?: string) => letters?.replaceAll(/\p{Emoji_Modifier}/gu, "");

/** Some characters are emoji only with a variation selector. */
const codeOfLetters = (letters: string | undefined) =>
  letters ? (emojiOf(letters) ?? emojiOf(`${letters}\ufe0f`)) : undefined;
