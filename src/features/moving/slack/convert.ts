// Turns a message of Slack into what is written, and counts what is lost on the way.
import { emojiCode } from "../../../text/emoji.ts";
import type { Reporting } from "../report.ts";
import { cardsOf, inParts, textOf } from "./content.ts";
import { NOTICES, secondsOf, senderKeyOf, type SlackFile } from "./export-rules.ts";
import type { SlackNames } from "./mrkdwn.ts";
import { nameOf } from "./people.ts";
import type { Found, SlackExport } from "./reading.ts";
import { type Placed, Threads } from "./threads.ts";

const KNOWN: ReadonlySet<string> = new Set([
  ...["me_message", "bot_message", "thread_broadcast", "file_share", "file_comment", "tombstone"],
  ...["slackbot_response", "reply_broadcast"],
]);
const REACTIONS_MAX = 1_000;

export interface Converted extends Placed {
  readonly key: string;
  readonly sender: string;
  readonly username: string | undefined;
  readonly timestamp: number;
  readonly edited: number | null;
  /** Each is a message. Files come below the last one. */
  readonly parts: readonly string[];
  readonly files: readonly SlackFile[];
  readonly reactions: readonly { emoji_name: string; emoji_code: string; users: string[] }[];
}

export class Converting {
  private readonly threads = new Threads();
  /** Names of topics are made of Slack's own names, which are the same in every run. */
  private readonly ownNames: SlackNames;

  constructor(
    slack: SlackExport,
    private readonly names: SlackNames,
    private readonly reporting: Reporting,
  ) {
    const users = new Map(slack.users.map((user) => [user.id, nameOf(user)]));
    const channels = new Map(slack.conversations.map(({ id, name }) => [id, name]));
    this.ownNames = {
      user: (id) => `@${users.get(id) ?? id}`,
      channel: (id, name) => `#${name ?? channels.get(id) ?? id}`,
    };
  }

  /** undefined: there is nothing to write. */
  convert(found: Found): Converted | undefined {
    const { conversation, message, place } = found;
    const { subtype = "", ts, edited } = message;
    if (NOTICES.has(subtype)) return this.skipped("notices");
    if (subtype === "huddle_thread" || subtype === "sh_room_created") {
      this.reporting.lost("A huddle is left out.", place);
      return undefined;
    }
    if (subtype !== "" && !KNOWN.has(subtype)) {
      this.reporting.lost(`A message is of the unknown kind ${subtype}: its text is kept.`, place);
    }
    const text = textOf(message, this.names);
    const placed = this.threads.place(found, () => textOf(message, this.ownNames));
    const quote = placed.quote ? `> ${placed.quote}\n\n` : "";
    const body = [text, cardsOf(message, this.names)].filter((part) => part.trim() !== "");
    const files = (message.files ?? []).filter((file) => !this.isCanvas(file, place));
    const parts = inParts((quote + body.join("\n\n")).replaceAll("\0", ""));
    if (parts.length === 0 && files.length === 0) {
      this.reporting.lost("A message has no text that can be shown.", place);
      return undefined;
    }
    if (parts.length > 1) this.reporting.found("messages in several parts");
    return {
      ...placed,
      key: `${conversation.id}/${ts}`,
      sender: senderKeyOf(message),
      username: typeof message.username === "string" ? message.username : undefined,
      timestamp: secondsOf(ts),
      edited: secondsOf(edited?.ts) || null,
      parts,
      files,
      reactions: this.reactionsOf(found),
    };
  }

  private reactionsOf({ message, place }: Found): Converted["reactions"] {
    return (message.reactions ?? [])
      .slice(0, REACTIONS_MAX)
      .flatMap(({ name = "", users = [] }) => {
        const [emoji_name = "", tone] = String(name).split("::");
        if (tone !== undefined) this.reporting.lost("A reaction loses its skin tone.", place);
        const emoji_code = emojiCode(emoji_name);
        if (emoji_code) return { emoji_name, emoji_code, users: users.map(String) };
        this.reporting.lost("A reaction is a custom emoji, which the export does not have.", place);
        return [];
      });
  }

  private isCanvas({ mode, filetype }: SlackFile, place: string): boolean {
    const isOne = mode === "quip" || filetype === "quip" || mode === "list" || filetype === "list";
    if (isOne) this.reporting.lost("A canvas or list is left out.", place);
    return isOne;
  }

  private skipped(kind: string): undefined {
    this.reporting.found(kind);
    return undefined;
  }
}
