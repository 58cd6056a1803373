// A Mattermost bulk export: teams, channels, users, and posts in order of time.
import { isFields } from "../../../text/untrusted-json.ts";
import { bytesOf } from "../archive/archive.ts";
import { type Archive, commonFolder, folderWith, isOfSystem } from "../archive/entries.ts";
import { anyLinesIn, type Line } from "../json-lines.ts";
import { MovingRefused } from "../errors.ts";
import type { Reporting } from "../report.ts";
import { shapeValue } from "../json-fields.ts";
import { EmojiNames, reportEmoji } from "../source/emoji-names.ts";
import {
  senderKeyOf,
  type SourceFile,
  type SourceMessage,
  type SourceUser,
} from "../source/records-rules.ts";
import { type LinkTarget, pathOn } from "../source/links.ts";
import { inTimeOrder, type Timed } from "../source/time-order.ts";
import type {
  Conversation,
  FoundMessage,
  OpeningChoices,
  Workspace,
  SourceEmoji,
} from "../source/workspace.ts";
import { mattermostEmojiName } from "./emoji-names.ts";
import { converted } from "./markdown.ts";
import { type Converting, messagesOf } from "./posts.ts";
import { channelKey, MattermostDirectory } from "./users-and-channels.ts";
import { type MattermostPost, POST } from "./shapes.ts";

const CHANNEL = /^\/([\w-]{1,100})\/channels\/([\w-]{1,100})\/?$/;
const POST_LINK = /^\/[\w-]{1,100}\/pl\/(\w{1,100})\/?$/;
/** The version is at the start of the first line. */
const VERSION_BYTES_MAX = 64;
const MMCTL_FILE = "import.jsonl";
const LINES = /^(?:[^/]+\/)?[^/]+\.jsonl$/;
/** The server's export command writes a file with any name, usually with this extension. */
const TOP_FILE = /^[^/]+\.json$/;

export class MattermostExport implements Workspace {
  readonly product = "mattermost";
  readonly label = "Mattermost";
  readonly recognizedBy = "messages";
  private readonly emojiNames = new EmojiNames("mattermost", mattermostEmojiName);

  private constructor(
    private readonly archive: Archive,
    private readonly file: string,
    private readonly sources: MattermostDirectory,
    private readonly oldUrl: string | undefined,
  ) {
    // Posts refer to emoji, which follow them in the file.
    this.customEmoji();
  }

  /** undefined if the archive has no such file. */
  static async open(
    archive: Archive,
    { oldUrl }: OpeningChoices,
  ): Promise<MattermostExport | undefined> {
    const file = await linesFile(archive);
    if (file === undefined) return undefined;
    const sources = new MattermostDirectory();
    let isFirst = true;
    for await (const line of anyLinesIn(archive.stream(file), file)) {
      const [type, value] = typed(line) ?? ["", undefined];
      if (isFirst && type !== "version") {
        const words = "Not a Mattermost export: the first line is not its version";
        throw new MovingRefused(words, line.location);
      }
      isFirst = false;
      sources.damage ??= line.error;
      sources.take(type, value, line.location);
    }
    if (isFirst) throw new MovingRefused("Not a Mattermost export: it is empty", file);
    return new MattermostExport(archive, file, sources, oldUrl);
  }

  get users(): readonly (SourceUser & { id: string })[] {
    return this.sources.users.map(({ picture, ...user }) => {
      const entry = picture === undefined ? undefined : this.dataOf(picture);
      return entry === undefined ? user : { ...user, picture: entry };
    });
  }

  get conversations(): readonly Conversation[] {
    return this.sources.conversations;
  }

  get source(): string {
    return this.sources.teams.toSorted().join(" ").slice(0, 200);
  }

  get damage(): MovingRefused | undefined {
    return this.sources.damage;
  }

  reportLosses(reporting: Reporting): void {
    this.sources.reportLosses(reporting);
    for (const { picture, location = "" } of this.sources.users) {
      if (picture !== undefined && this.dataOf(picture) === undefined) {
        reporting.lost("A profile picture is not in the archive.", location);
      }
    }
    for (const emoji of this.customEmoji()) reportEmoji(emoji, reporting);
  }

  get emoji(): SourceEmoji {
    const emoji = this.customEmoji().flatMap(({ name, entry }) => {
      if (name === undefined || entry === undefined) return [];
      return [[name, () => bytesOf(this.archive, entry)] as const];
    });
    return new Map(emoji);
  }

  /** All custom emoji of the archive, with the names that they get here. */
  private customEmoji() {
    return [...this.sources.emoji].map(([given, { image, location }]) => {
      const entry = image === "" ? undefined : this.dataOf(image);
      return { given, name: this.emojiNames.addCustom(given), entry, location };
    });
  }

  /** The posts in the file are not sorted by time. */
  async *messages(): AsyncIterable<FoundMessage> {
    const sorted = inTimeOrder(this.file, this.sources.range, this.posts());
    const keys = new PostKeys();
    for await (const { key, time, message, ...rest } of sorted) {
      const keyed = { ...message, key: keys.next(key, time, message) };
      yield { ...rest, conversation: this.sources.byKey(key)!, message: keyed };
    }
  }

  private async *posts(): AsyncIterable<Timed> {
    const lines = anyLinesIn(this.archive.stream(this.file), this.file);
    for await (const { value: line, location } of lines) {
      const [type, value] = typed({ value: line }) ?? ["", undefined];
      if (type !== "post" && type !== "direct_post") continue;
      // The validated shape has the fields of the type.
      const post = shapeValue(value, POST) as MattermostPost;
      const conversation = this.sources.conversationOf(type, post);
      if (!conversation) continue;
      const converting: Converting = {
        markdownOf: (text) => this.markdownOf(text, conversation),
        emoji: this.emojiNames,
      };
      for (const message of messagesOf(post, converting)) {
        yield { ...message, key: conversation.id, location };
      }
    }
  }

  /** The export contains neither the URL of the server nor the ids of posts. */
  linkTarget(url: URL): LinkTarget | undefined {
    const path = pathOn(this.oldUrl, url) ?? "";
    const [, team, channel] = CHANNEL.exec(path) ?? [];
    if (team !== undefined) return { conversation: channelKey(team, channel) };
    const [, post] = POST_LINK.exec(path) ?? [];
    return post === undefined ? undefined : { conversation: "", message: post };
  }

  entryOf(_conversation: Conversation, { id }: SourceFile): string | undefined {
    return id === undefined ? undefined : this.dataOf(id);
  }

  sizeOf(entry: string): number {
    return this.archive.sizes.get(entry) ?? 0;
  }

  stream(entry: string): AsyncIterable<Uint8Array> {
    return this.archive.stream(entry);
  }

  private dataOf(path: string): string | undefined {
    const root = this.file.slice(0, this.file.lastIndexOf("/") + 1);
    const paths = [`${root}data/${path}`, `${root}${path}`];
    return paths.find((name) => this.archive.sizes.has(name));
  }

  private markdownOf(text: string, { id }: Conversation): string {
    const team = id.split("/")[0] ?? "";
    return converted(text, {
      user: (name) => this.sources.userKey(name),
      channel: (name) => this.sources.byKey(`${team}/${name}`)?.id,
      emoji: (part) => this.emojiNames.inText(part),
    });
  }
}

/** Keys of posts by author and time. Posts have no ids, and their texts may be edited later. */
class PostKeys {
  private time = 0;
  /** Number of posts of each author in each conversation at this time. */
  private readonly counts = new Map<string, number>();

  next(conversation: string, time: number, message: SourceMessage): string {
    if (time !== this.time) this.counts.clear();
    this.time = time;
    const author = Bun.hash.crc32(senderKeyOf(message));
    const key = `${conversation} ${author}`;
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return `${time}/${author}${count === 1 ? "" : `/${count}`}`;
  }
}

/** Finds the file with the lines: named by mmctl, at the top of the archive, or the only file. */
async function linesFile(archive: Archive): Promise<string | undefined> {
  const folder = folderWith(archive, [MMCTL_FILE]);
  if (folder !== undefined) return folder + MMCTL_FILE;
  const names = [...archive.sizes.keys()].filter((name) => !isOfSystem(name));
  const top = commonFolder(names);
  const lines = names.filter((name) => LINES.test(name));
  const inTop = names.filter((name) => TOP_FILE.test(name.slice(top.length)));
  // Files that users attached may be of the same kind.
  for (const name of names.length === 1 ? names : [...lines, ...inTop]) {
    if (/"type"\s*:\s*"version"/.test(await firstBytes(archive, name))) return name;
  }
  return lines[0];
}

async function firstBytes(archive: Archive, name: string): Promise<string> {
  let text = "";
  for await (const piece of archive.stream(name, { from: 0, to: VERSION_BYTES_MAX })) {
    text += Buffer.from(piece).toString("latin1");
  }
  return text;
}

/** undefined: the line has no record of the type that it names. */
function typed({ value }: Pick<Line, "value">): [type: string, value: unknown] | undefined {
  const type = isFields(value) ? value["type"] : undefined;
  if (!isFields(value) || typeof type !== "string") return undefined;
  const inner = Object.hasOwn(value, type) ? value[type] : undefined;
  return isFields(inner) || type === "version" ? [type, inner] : undefined;
}
