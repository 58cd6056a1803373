// Writes messages of a Zulip export in files of a thousand, each with the flags of its recipients.
import { join } from "node:path";
import type { Reader } from "../../../../realm.ts";
import type { Message } from "../../../../schema/records-messages.ts";
import { ascending, idOf } from "../../../../store/bitmap/bitmap.ts";
import { decodeChunk } from "../../../../store/bitmap/encodings.ts";
import { receivedAtSend } from "../../../messages/access.ts";
import { editHistoryOf } from "../../../messages/edit-history-wire.ts";
import { HAS_ATTACHMENT, HAS_IMAGE, HAS_LINK } from "../../../messages/rules.ts";
import { subjectOf } from "../../../messages/spelling-wire.ts";
import { flagsOf, OwnFlagReader } from "../../../messages/unread/personal-flags.ts";
import { plainParagraph } from "../../../messages/wire.ts";
import type { Reporting } from "../../report.ts";
import { JsonFile, type OutRow } from "./json-file.ts";
import { REALM } from "./organization-tables.ts";
import type { Clients } from "./clients.ts";
import type { Scope } from "./scope.ts";

const MESSAGES_A_FILE = 1_000;
const MESSAGES_AT_ONCE = 500;
/** The topic of direct messages since Zulip 11. */
const NO_TOPIC = "\u0007";
const CHANNEL_TYPE = 1;

const BITS: Readonly<Record<string, number>> = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  stream_wildcard_mentioned: 16,
  topic_wildcard_mentioned: 32,
  has_alert_word: 512,
  historical: 1024,
};
const GROUP_MENTIONED = 64;
const IS_PRIVATE = 2048;

export class MessageFiles {
  private flags = 0;
  private readonly history: ReturnType<typeof editHistoryOf>;

  constructor(
    private readonly reader: Reader,
    private readonly scope: Scope,
    private readonly clients: Clients,
    private readonly reporting: Reporting,
  ) {
    this.history = editHistoryOf(reader);
  }

  /** `onMessage` is called for each message in order. */
  async write(directory: string, onMessage: (message: Message) => Promise<void>): Promise<void> {
    let nth = 0;
    let batch: Message[] = [];
    for (const message of this.exported()) {
      batch.push(message);
      await onMessage(message);
      if (batch.length < MESSAGES_A_FILE) continue;
      await this.writeFile(directory, ++nth, batch);
      batch = [];
    }
    if (batch.length > 0 || nth === 0) await this.writeFile(directory, nth + 1, batch);
  }

  private async writeFile(directory: string, nth: number, messages: readonly Message[]) {
    const name = `messages-${String(nth).padStart(6, "0")}.json`;
    const file = new JsonFile(join(directory, name));
    try {
      const rows = messages.map((message) => this.messageRow(message));
      this.reporting.countWritten("messages", await file.table("zerver_message", rows));
      const flags = await file.table("zerver_usermessage", this.flagRows(messages));
      this.reporting.countWritten("flags of messages", flags);
      file.close();
    } catch (error) {
      file.abandon();
      throw error;
    }
  }

  private *exported(): Iterable<Message> {
    let from = 0;
    for (;;) {
      const batch = [...this.reader.messages.range({ from: [from], limit: MESSAGES_AT_ONCE })];
      for (const message of batch) {
        if (!this.scope.has(message)) continue;
        this.reporting.time(message.timestamp);
        yield message;
      }
      if (batch.length < MESSAGES_AT_ONCE) return;
      from = batch.at(-1)!.id + 1;
    }
  }

  private messageRow(message: Message): OutRow {
    const { id, sender_id, recipient_id, content, rendered_content, timestamp, bits } = message;
    const isChannel = message.stream_id !== 0;
    const edits = this.history(message);
    const times = [edits.last_edit_timestamp, edits.last_moved_timestamp].filter((t) => t !== null);
    return {
      ...{ id, sender: sender_id, recipient: recipient_id, realm: REALM, content },
      subject: isChannel ? subjectOf(this.reader, message) : NO_TOPIC,
      rendered_content: rendered_content ?? plainParagraph(content),
      rendered_content_version: 1,
      date_sent: timestamp,
      sending_client: this.clients.idOf(message.client),
      last_edit_time: times.length > 0 ? Math.max(...times) : null,
      edit_history: edits.edit_history && JSON.stringify(edits.edit_history),
      has_attachment: (bits & HAS_ATTACHMENT) !== 0,
      has_image: (bits & HAS_IMAGE) !== 0,
      has_link: (bits & HAS_LINK) !== 0,
      is_channel_message: isChannel,
      type: CHANNEL_TYPE,
    };
  }

  private *flagRows(messages: readonly Message[]): Iterable<OutRow> {
    const own = new Map<number, OwnFlagReader>();
    for (const message of messages) {
      for (const user_id of this.holders(message)) {
        const user = this.reader.users.get(user_id);
        if (!user) continue;
        let flags = own.get(user_id);
        if (!flags) own.set(user_id, (flags = new OwnFlagReader(this.reader, user_id)));
        const names = flagsOf(this.reader, user, message, flags);
        const mask = this.maskOf(message, user_id, names);
        const userMessage = { id: ++this.flags, user_profile: user_id, message: message.id };
        yield { ...userMessage, flags_mask: mask };
      }
    }
  }

  private maskOf(message: Message, user_id: number, names: readonly string[]): number {
    const isDirect = message.stream_id === 0 ? IS_PRIVATE : 0;
    // The flags are private data. If they are not exported, the message counts as read.
    if (!this.scope.isWhole(user_id)) return 1 | isDirect;
    let mask = isDirect;
    for (const name of names) mask |= Object.hasOwn(BITS, name) ? BITS[name]! : 0;
    const isNamed = message.mentioned_user_ids?.includes(user_id) ?? false;
    if (names.includes("mentioned") && !isNamed) mask = (mask & ~8) | GROUP_MENTIONED;
    return mask;
  }

  /** Users who received the message or have it for another reason. */
  private *holders({ id, ...message }: Message): Iterable<number> {
    const zulipRow = { id, ...message };
    if (message.stream_id === 0) {
      const { user_ids = [] } = this.reader.conversations.get(message.recipient_id) ?? {};
      for (const user_id of user_ids) {
        if (this.reader.user_directs.has([user_id], id)) yield user_id;
      }
      return;
    }
    const writtenIds = new Set<number>();
    for (const { user_id } of this.reader.subscriptions.listBy("channel", message.stream_id)) {
      writtenIds.add(user_id);
      if (receivedAtSend(this.reader, user_id, zulipRow)) yield user_id;
      else if (this.holdsLater(id, user_id)) yield user_id;
    }
    for (const n of this.reader.historical_holders.chunks([id])) {
      const chunk = decodeChunk(this.reader.historical_holders.chunk([id], n));
      for (const user_id of ascending(chunk, idOf(n, 0)))
        if (!writtenIds.has(user_id)) yield user_id;
    }
  }

  private holdsLater(message_id: number, user_id: number): boolean {
    return this.reader.historical_holders.has([message_id], user_id);
  }
}
