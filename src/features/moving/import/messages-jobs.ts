// Writes the messages of an archive with their files, in order of time.
import { yieldToEventLoop } from "../../../async/yield.ts";
import type { Realm, Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import type { Reaction } from "../../../schema/records-messages.ts";
import { keepBytes } from "../../files/save.ts";
import { newPathId } from "../../files/blob-names.ts";
import { MIB, shownName, UNKNOWN_TYPE } from "../../files/rules.ts";
import { setKey } from "../../../store/set-key.ts";
import { compose } from "../../messages/content/compose.ts";
import { FLAG_STARRED } from "../../messages/rules.ts";
import { DAMAGED_FILE, storeDraft } from "../archive/store-file.ts";
import { putRow, type Row } from "../write-row.ts";
import type { BulkWriter } from "../bulk-writer-jobs.ts";
import { Reporting } from "../report.ts";
import { distinctReactions, type MovedMessage, writeMessage } from "../write-message.ts";
import { inParts } from "../source/message-parts.ts";
import { absentFile, withFiles } from "../source/message-text.ts";
import { type Converted, Converting } from "./convert-message.ts";
import type { SourceFile, SourceMessage } from "../source/records-rules.ts";
import { addressOf, FETCH_FILE, fetchLater, type FileToFetch } from "./linked-files.ts";
import { mentionNamesIn } from "./mention-names.ts";
import { MessageLinks } from "./message-links.ts";
import { rewriteWaiting } from "./waiting-links-jobs.ts";
import { follow, pin, quoteOf } from "./pins-and-quotes.ts";
import type { Conversation, FoundMessage, Workspace } from "../source/workspace.ts";
import type { SenderKeys } from "./sender-keys.ts";
import { FILES_STEP, linkTo, MESSAGES_STEP } from "./steps.ts";
import { type ImportedIds, RepeatedMessages } from "./survey.ts";

/** Messages rendered before other work of the server can run. */
const COMPOSED_AT_ONCE = 20;

export class MessagesImport {
  /** Keys of the files that are being fetched. */
  private readonly fetching: ReadonlySet<string>;
  private readonly converting: Converting;
  private readonly links: MessageLinks;

  constructor(
    private readonly realm: Realm,
    private readonly import_id: number,
    private readonly writer: BulkWriter,
    private readonly workspace: Workspace,
    private readonly sources: ImportedIds,
    senders: SenderKeys,
    private readonly reporting: Reporting,
    private readonly onRewritten: (links: number) => void,
  ) {
    const names = (place: Conversation) => mentionNamesIn(realm.read, sources, place);
    this.converting = new Converting(
      // The survey has already counted everything.
      ...([workspace, senders, names, new Reporting("", "")] as const),
      (name) => sources.emojiIds.get(name),
      (conversation, key) => this.earlierTopic(conversation, key),
    );
    this.links = new MessageLinks(import_id, workspace, sources.channelIds, (...thread) =>
      this.converting.topicOf(...thread),
    );
    const jobs = [...realm.read.due.range()].filter(({ kind }) => kind === FETCH_FILE);
    this.fetching = new Set(jobs.map(({ payload }) => (payload as FileToFetch).file_key));
  }

  async write(): Promise<void> {
    const { realm, import_id, converting } = this;
    const uncounted = new Reporting("", "");
    let count = 0;
    const repeatedMessages = new RepeatedMessages();
    for await (const sourceMessage of this.workspace.messages()) {
      const converted = converting.convert(sourceMessage);
      if (++count % COMPOSED_AT_ONCE === 0) await yieldToEventLoop();
      if (!converted || repeatedMessages.has(converted, sourceMessage.location, uncounted))
        continue;
      // A message with several parts or files may be stored partly, so the writer skips what
      // exists.
      const isSimple = converted.parts.length === 1 && converted.files.length === 0;
      const key = keyOf(converted, 0);
      if (isSimple && realm.read.imported.has(import_id, MESSAGES_STEP, key)) continue;
      await this.add(sourceMessage, converted);
    }
    await this.writer.flush();
    await rewriteWaiting(realm, import_id, this.links, this.writer.isServing, this.onRewritten);
  }

  /** The current topic of an imported message, which users may have renamed since. */
  private earlierTopic({ id }: Conversation, key: string): string | undefined {
    const { read } = this.realm;
    const mark = read.imported.get(this.import_id, MESSAGES_STEP, key);
    const message = mark && read.messages.get(...mark.row_key);
    if (message?.stream_id !== this.sources.channelIds.get(id)) return undefined;
    return read.topics.get(message?.topic_id ?? 0)?.name;
  }

  private async add(sourceMessage: FoundMessage, converted: Converted): Promise<void> {
    const { parts, files } = converted;
    const linked: string[] = [];
    const absent: MissingFile[] = [];
    for (const [nth, file] of files.entries()) {
      const text = await this.addFile(sourceMessage, converted, file, nth);
      linked.push(text);
      const url = addressOf(file);
      const file_key = `${converted.key}/${nth}`;
      if (url && text === absentFile(file)) absent.push(awaiting(file, url, file_key));
    }
    const texts = parts.length > 0 ? [...parts] : [""];
    const hasFiles = linked.length > 0;
    if (hasFiles) {
      texts.push(...inParts(withFiles(texts.pop()!, linked)));
    }
    for (const [nth, text] of texts.entries()) {
      await this.addPart(sourceMessage, converted, text, nth, hasFiles ? absent : undefined);
    }
  }

  private async addPart(
    sourceMessage: FoundMessage,
    converted: Converted,
    text: string,
    nth: number,
    /** Files to download later; undefined if the message has no such files. */
    absent: readonly MissingFile[] | undefined,
  ): Promise<void> {
    const { realm, sources, import_id } = this;
    const { conversation, message } = sourceMessage;
    const { topic, timestamp, edited, sender, reactions } = converted;
    const sender_id = sources.userIds.get(sender)!;
    const stream_id = sources.channelIds.get(conversation.id);
    const author = realm.read.users.get(sender_id)!;
    const { reply_to } = message;
    const answered = nth === 0 && reply_to ? `${conversation.id}/${reply_to}` : undefined;
    const hasLinks = this.links.areIn(text);
    const movedMessage = {
      sender_id,
      timestamp,
      to:
        stream_id === undefined
          ? { user_ids: this.peopleIn(conversation, author) }
          : { stream_id, topic },
      // Rows of linked files and messages can be read only in the transaction.
      content: absent || answered || hasLinks ? text : compose(realm.read, author, text),
      client: this.workspace.label,
      reactions: nth === 0 ? this.reactionsOf(reactions) : [],
      last_edit_timestamp: edited,
    };
    const message_key = keyOf(converted, nth);
    const awaited = (absent ?? []).filter(({ placeholder }) => text.includes(placeholder));
    const imported = realm.read.imported.get(import_id, MESSAGES_STEP, message_key);
    if (imported) return this.fetchAgain(Number(imported.row_key[0]), message_key, awaited);
    await this.writer.add({
      step: MESSAGES_STEP,
      source_key: message_key,
      bytes: text.length * 2,
      write: (tx: Writer) => {
        const quote = answered ? quoteOf(tx, import_id, answered, text.length) : "";
        if (quote === undefined) {
          const kind = "A reply answers a message that is not in the export.";
          this.reporting.lost(kind, sourceMessage.location);
        }
        const { id, checksum } =
          hasLinks || quote
            ? this.writeWithLinks(tx, movedMessage, (quote ?? "") + text, message_key)
            : writeMessage(tx, movedMessage);
        if (nth === 0) this.addMarks(tx, id, movedMessage, message);
        for (const file of awaited)
          fetchLater(tx, { ...file, import_id, message_id: id, message_key });
        return { table: "messages", row_key: [id], checksum };
      },
    });
  }

  /** Pins the message, stars it, and follows its topic. */
  private addMarks(tx: Writer, id: number, moved: MovedMessage, message: SourceMessage): void {
    const { to, timestamp } = moved;
    if ("stream_id" in to) {
      if (message.is_pinned) pin(tx, id, to.stream_id, moved);
      if (to.topic !== "") follow(tx, this.idsOf(message.followed_by), { ...to, timestamp });
    }
    for (const user_id of this.idsOf(message.starred_by)) {
      tx.flags.add([user_id, FLAG_STARRED], id);
    }
  }

  private writeWithLinks(tx: Writer, moved: MovedMessage, text: string, message_key: string) {
    const { content, links, waiting } = this.links.rewrite(tx, text, placeOf(tx, moved));
    const written = writeMessage(tx, { ...moved, content });
    if (waiting > 0) this.links.wait(tx, message_key, written.id);
    this.onRewritten(links);
    return written;
  }

  /** Fetches files that are still missing, because a later export has a new access token. */
  private async fetchAgain(
    message_id: number,
    message_key: string,
    awaited: readonly MissingFile[],
  ): Promise<void> {
    const { realm, import_id } = this;
    const content = realm.read.messages.get(message_id)?.content ?? "";
    const missingFiles = awaited.filter(({ placeholder, file_key }) => {
      return content.includes(placeholder) && !this.fetching.has(file_key);
    });
    if (missingFiles.length === 0) return;
    await realm.write((tx) => {
      for (const file of missingFiles)
        fetchLater(tx, { ...file, import_id, message_id, message_key });
    });
  }

  /** Returns the Markdown that refers to the file. */
  private async addFile(
    { conversation, location }: FoundMessage,
    { key, sender, timestamp }: Converted,
    file: SourceFile,
    nth: number,
  ): Promise<string> {
    const { realm, import_id, workspace } = this;
    const entry = workspace.entryOf(conversation, file);
    const isTooLarge = entry && workspace.sizeOf(entry) > realm.config.max_upload_mib * MIB;
    if (!entry || isTooLarge) return absentFile(file);
    const name = shownName(String(file.name ?? "file"));
    const source_key = `${key}/${nth}`;
    const before = realm.read.imported.get(import_id, FILES_STEP, source_key);
    const attachment = before && realm.read.attachments.get(...before.row_key);
    if (attachment) return linkTo(name, attachment.path_id);
    const path_id = newPathId(name);
    const isWhole = await storeDraft(realm, path_id, workspace.stream(entry));
    if (!isWhole) {
      this.reporting.lost(DAMAGED_FILE, `${location} ${name}`);
      return absentFile(file);
    }
    const content_type = typeof file.mimetype === "string" ? file.mimetype : UNKNOWN_TYPE;
    const storedFile = await keepBytes(realm, { path_id, name, content_type });
    const user_id = this.sources.userIds.get(sender)!;
    await this.writer.add({
      step: FILES_STEP,
      source_key,
      bytes: 500,
      write(tx: Writer) {
        const id = tx.next("attachments");
        const row: Row = {
          id,
          user_id,
          ...storedFile,
          create_time: timestamp,
          unused_since: tx.now,
        };
        return { table: "attachments", row_key: [id], checksum: putRow(tx, "attachments", row) };
      },
    });
    return linkTo(name, path_id);
  }

  /** Reactions that differ only in their skin tone are one here. */
  private reactionsOf(reactions: Converted["reactions"]): Reaction[] {
    const all = reactions.flatMap(({ users, ...emoji }) =>
      this.idsOf(users).map((user_id) => ({ ...emoji, user_id })),
    );
    return distinctReactions(all);
  }

  /** The users of a direct conversation, ascending. */
  private peopleIn({ members }: Conversation, sender: User): number[] {
    const people = new Set(this.idsOf(members));
    // An app can write in a conversation without being a member.
    const isApp = sender.bot_type !== null && people.size > 1;
    if (!isApp) people.add(sender.user_id);
    return [...people].sort((a, b) => a - b);
  }

  private idsOf(keys: readonly string[] = []): number[] {
    return keys.flatMap((key) => this.sources.userIds.get(key) ?? []);
  }
}

/** The conversation of a message that is not stored yet. */
function placeOf({ conversations }: Writer, { to }: Pick<MovedMessage, "to">) {
  if ("stream_id" in to) return { stream_id: to.stream_id, recipient_id: 0 };
  const conversation = conversations.findBy("people", setKey(to.user_ids));
  return { stream_id: 0, recipient_id: conversation?.recipient_id ?? 0 };
}

/** The data of a file to download, before its message has an id. */
type MissingFile = Omit<FileToFetch, "import_id" | "message_id" | "message_key">;

function awaiting(file: SourceFile, url: string, file_key: string): MissingFile {
  return {
    ...{ file_key, url, placeholder: absentFile(file) },
    name: shownName(String(file.name ?? file.title ?? "file")),
    content_type: typeof file.mimetype === "string" ? file.mimetype : UNKNOWN_TYPE,
    size: Number.isSafeInteger(file.size) ? Number(file.size) : null,
  };
}

const keyOf = ({ key }: Converted, nth: number) => (nth === 0 ? key : `${key}#${nth + 1}`);
