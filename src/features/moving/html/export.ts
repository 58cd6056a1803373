// Exports the messages that a viewer may read as pages that work without a server.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { yieldToEventLoop } from "../../../async/yield.ts";
import type { Reader, Realm } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import { plainText } from "../../../text/plain-text.ts";
import { secret } from "../../files/blob-names.ts";
import { visitorTranslator, userTranslator } from "../../i18n/negotiate-language.ts";
import type { Translator } from "../../i18n/translations.ts";
import { storedHtml } from "../../messages/wire.ts";
import { SPECTATOR, type Viewer } from "../../rights/rules.ts";
import { MovingRefused } from "../errors.ts";
import { type MovingReport, Reporting } from "../report.ts";
import { inNewFolder, withSnapshot } from "../export-snapshot.ts";
import { Assets } from "./assets.ts";
import { ArchivedContent } from "./content.ts";
import { archivePage, type Frame } from "./frame.ts";
import { ArchivePages } from "./pages.ts";
import {
  channelPath,
  pagePath,
  type ArchivedConversation,
  ArchivedConversations,
} from "./conversations.ts";
import script from "./script.txt" with { type: "text" };
import { SearchIndex } from "./search-index.ts";
import style from "./style.txt" with { type: "text" };

export const HTML = "html";

const FOLDERS = ["channels", "topics", "direct", "search"];
/** Number of messages between two pauses, in which a server can respond to requests. */
const MESSAGES_AT_ONCE = 100;

/** `user_id`: undefined for public messages only. The folder must be new or empty. */
export function exportHtml(
  realm: Realm,
  directory: string,
  user_id: number | undefined,
): Promise<MovingReport> {
  return inNewFolder(directory, () => writeArchive(realm, directory, user_id));
}

async function writeArchive(
  realm: Realm,
  directory: string,
  user_id: number | undefined,
): Promise<MovingReport> {
  const reporting = new Reporting(HTML, directory);
  await withSnapshot(realm, directory, async (reader) => {
    const user = user_id === undefined ? undefined : reader.users.get(user_id);
    if (user_id !== undefined && !user) throw new MovingRefused(`There is no user ${user_id}`);
    const viewer: Viewer = user ?? SPECTATOR;
    const speech = user ? userTranslator(user) : visitorTranslator(reader);
    await new HtmlArchive(realm, reader, viewer, speech, directory, reporting).write();
  });
  return reporting.end("exported");
}

class HtmlArchive {
  private readonly conversations: ArchivedConversations;
  private readonly assets: Assets;
  private readonly pages: ArchivePages;
  private readonly frame: Frame;
  private written = 0;

  constructor(
    realm: Realm,
    reader: Reader,
    viewer: Viewer,
    private readonly speech: Translator,
    private readonly directory: string,
    private readonly reporting: Reporting,
  ) {
    this.conversations = new ArchivedConversations(reader, viewer);
    this.assets = new Assets(realm, reader, viewer, reporting);
    const content = new ArchivedContent(reader, this.conversations, this.assets, speech);
    this.pages = new ArchivePages(
      ...([reader, viewer, this.conversations, content, this.assets, speech] as const),
    );
    const date = speech.stamp(reader.now);
    const footer =
      viewer === SPECTATOR
        ? speech.translate("archive-for-all", { date })
        : speech.translate("archive-for", { date, name: viewer.full_name });
    this.frame = { speech, organization: reader.settings.name, footer, nonce: secret() };
  }

  async write(): Promise<void> {
    for (const folder of FOLDERS) {
      mkdirSync(join(this.directory, folder), { recursive: true, mode: 0o700 });
    }
    this.file("archive.css", style);
    this.file("archive.js", script);
    await this.search();
    const { topics, directs } = this.conversations;
    for (const conversation of [...topics.values(), ...directs.values()])
      await this.writeConversation(conversation);
    for (const channel of this.pages.channels()) {
      const page = { title: channel.name, body: this.pages.channel(channel) };
      this.file(channelPath(channel.stream_id), archivePage(this.frame, page));
      this.reporting.countWritten("channels");
    }
    const index = { title: "", isRoot: true, body: this.pages.index() };
    this.file("index.html", archivePage(this.frame, index));
    await this.assets.copyTo(this.directory);
  }

  /** Finds all messages, and counts the pages of each conversation. */
  private async search(): Promise<void> {
    const index = await SearchIndex.open(join(this.directory, "search"));
    try {
      for (const { message, conversation } of this.conversations.survey()) {
        this.reporting.countFound("messages");
        this.reporting.time(message.timestamp);
        await index.add(this.searched(message, conversation));
        await this.pause();
      }
      await index.end();
    } finally {
      await index.close();
    }
  }

  private searched(message: Message, conversation: ArchivedConversation) {
    return {
      path: `${pagePath(conversation, conversation.starts.length - 1)}#m${message.id}`,
      title: this.pages.fullTitleOf(conversation),
      sender: this.pages.nameOf(message.sender_id),
      day: this.speech.day(message.timestamp),
      text: plainText(storedHtml(message)).replace(/\s+/g, " ").trim(),
    };
  }

  private async writeConversation(conversation: ArchivedConversation): Promise<void> {
    const title = this.pages.titleOf(conversation);
    for (const page of conversation.starts.keys()) {
      const body = this.pages.messages(conversation, page);
      this.file(pagePath(conversation, page), archivePage(this.frame, { title, body }));
      await this.pause(MESSAGES_AT_ONCE);
    }
    this.reporting.countWritten("messages", conversation.count);
    this.reporting.countWritten(conversation.kind === "topic" ? "topics" : "direct conversations");
  }

  private file(path: string, text: string): void {
    writeFileSync(join(this.directory, path), text, { mode: 0o600, flag: "wx" });
  }

  private async pause(messages = 1): Promise<void> {
    this.written += messages;
    if (this.written < MESSAGES_AT_ONCE) return;
    this.written = 0;
    await yieldToEventLoop();
  }
}
