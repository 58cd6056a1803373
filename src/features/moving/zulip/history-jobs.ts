// Writes the messages of a Zulip export with their ids, reactions, edits and flags.
import { yieldToEventLoop } from "../../../async/yield.ts";
import type { Realm, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import { chunkOf, emptyChunk, offsetOf, setRange } from "../../../store/bitmap/bitmap.ts";
import { setKey } from "../../../store/set-key.ts";
import type { Rendered } from "../../../text/markdown/render.ts";
import { claimFiles } from "../../files/claim.ts";
import { isInIntervals } from "../../messages/access.ts";
import { renderedBy } from "../../messages/content/compose.ts";
import { recordMove } from "../../messages/moved-access.ts";
import { MOVED_IN } from "../../messages/rules.ts";
import { addParticipant, markMentions } from "../../messages/mentions.ts";
import { type MessageLocation, newMessage } from "../../messages/send/new-message.ts";
import { recordBackdated } from "../../messages/sets/backdated.ts";
import { plainParagraph } from "../../messages/wire.ts";
import { ignoreDamage } from "../archive/damage.ts";
import { putRow, type Row } from "../write-row.ts";
import type { BulkWriter } from "../bulk-writer-jobs.ts";
import type { Reporting } from "../report.ts";
import { distinctReactions, placedTopic, TOO_COMPLEX } from "../write-message.ts";
import { type Edits, editsOf, wasMoved } from "./edits.ts";
import { ZulipFlags } from "./flags.ts";
import type { ZulipReactions } from "./reactions.ts";
import { int, text, type ZulipRow } from "./read/rows.ts";
import type { ZulipExport } from "./read/source.ts";
import { stepOf } from "./steps.ts";
import type { Survey } from "./survey.ts";
import { type TextContext, textHere } from "./read/text.ts";
import { topicIn } from "./read/topic.ts";
import { type UsableMessage, UsableMessages } from "./usable-messages.ts";

const CLIENT = "Zulip";
/** Messages rendered before other work of the server can run. */
const RENDERED_AT_ONCE = 20;

interface PreparedHistory extends Edits {
  readonly id: number;
  readonly sender_id: number;
  readonly timestamp: number;
  readonly subject: string;
  readonly content: string;
  readonly rendered: Rendered;
  readonly client: string;
  readonly isBackdated: boolean;
  /** The message was sent to another channel. */
  readonly isMoved: boolean;
  readonly reactions: Message["reactions"];
}

export class ZulipHistory {
  /** The latest time so far. A message with a higher id and an earlier time is backdated. */
  private latest = 0;

  constructor(
    private readonly realm: Realm,
    private readonly import_id: number,
    private readonly writer: BulkWriter,
    private readonly source: ZulipExport,
    private readonly surveyed: Survey,
    private readonly reactions: ZulipReactions,
    private readonly texts: TextContext,
    private readonly reporting: Reporting,
  ) {}

  async write(): Promise<void> {
    let count = 0;
    const usableMessages = new UsableMessages();
    for (const [index, name] of this.source.messageFiles.entries()) {
      // The survey has counted the losses.
      const file = await this.source.messagesIn(name, ignoreDamage);
      await this.reactions.load(index);
      const flags = new ZulipFlags(this.realm.read, name);
      for await (const message of usableMessages.in(file.messages())) {
        if (++count % RENDERED_AT_ONCE === 0) await yieldToEventLoop();
        await this.add(message, flags);
      }
      await this.writer.flush();
      for await (const { row } of file.flags()) {
        flags.take(row);
        if (++count % RENDERED_AT_ONCE === 0) await yieldToEventLoop();
      }
      for (const item of flags.items()) await this.writer.add(item);
      await this.writer.flush();
    }
  }

  private async add({ row, id, timestamp }: UsableMessage, flags: ZulipFlags): Promise<void> {
    const { realm, surveyed, import_id } = this;
    const isBackdated = timestamp < this.latest;
    this.latest = Math.max(this.latest, timestamp);
    const channel = surveyed.channels.channelOf(row);
    const direct = channel ? undefined : surveyed.channels.directOf(row);
    const sender_id = int(row, "sender") ?? 0;
    const users = direct?.user_ids ?? [sender_id];
    const isKnown = users.every((user_id) => surveyed.people.users.has(user_id));
    if ((!channel && !direct) || !isKnown) return;
    const subject = channel ? topicIn(text(row, "subject") ?? "") : "";
    const isMoved = channel !== undefined && wasMoved(row);
    const step = stepOf("messages");
    const isImported = realm.read.imported.has(import_id, step, String(id));
    if (!isImported && realm.read.messages.has(id)) {
      this.reporting.lost("The number of a message is in use here.", String(id));
      return;
    }
    flags.know(id, channel?.stream_id ?? 0, isMoved);
    if (isImported) return;
    const fields = { id, sender_id, timestamp, subject, isBackdated, isMoved };
    const prepared = this.prepared(row, fields);
    await this.writer.add({
      step,
      source_key: String(id),
      bytes: prepared.content.length * 2,
      write: (tx) => {
        const message = channel
          ? toChannel(tx, prepared, channel.stream_id)
          : toPeople(tx, prepared, direct!);
        const checksum = putRow(tx, "messages", message as unknown as Row);
        finish(tx, message, prepared, direct?.user_ids);
        return { table: "messages", row_key: [id], checksum };
      },
    });
  }

  private prepared(
    row: ZulipRow,
    fields: Pick<
      PreparedHistory,
      "id" | "sender_id" | "timestamp" | "subject" | "isBackdated" | "isMoved"
    >,
  ): PreparedHistory {
    const { read } = this.realm;
    const author = read.users.get(fields.sender_id)!;
    const textOf = (source: string, rendered: string | undefined) =>
      textHere(this.texts, source, rendered).text;
    const rendering = {
      textOf,
      render: (content: string) =>
        renderedBy(read, author, content)?.html ?? plainParagraph(TOO_COMPLEX),
    };
    const content = textOf(text(row, "content") ?? "", text(row, "rendered_content"));
    const rendered = renderedBy(read, author, content) ?? renderedBy(read, author, TOO_COMPLEX)!;
    const reactions = distinctReactions(this.reactions.of(fields.id));
    return {
      ...fields,
      content,
      rendered,
      client: this.surveyed.clients.get(int(row, "sending_client") ?? 0) || CLIENT,
      reactions: reactions.length > 0 ? reactions : null,
      ...editsOf(row, fields.subject, rendering),
    };
  }
}

function toChannel(tx: Writer, prepared: PreparedHistory, stream_id: number): Message {
  const channel = tx.channels.get(stream_id)!;
  const { id, subject, sender_id, reactions } = prepared;
  const { topic_id, spelling } = placedTopic(tx, stream_id, subject, id);
  const people = [sender_id, ...(reactions ?? []).map(({ user_id }) => user_id)];
  for (const user_id of people) addParticipant(tx, topic_id, user_id);
  if (channel.first_message_id === null) tx.channels.put({ ...channel, first_message_id: id });
  const { recipient_id } = channel;
  return rowOf(tx, prepared, { stream_id, topic_id, recipient_id, spelling });
}

function toPeople(
  tx: Writer,
  prepared: PreparedHistory,
  direct: { user_ids: readonly number[]; recipient_id: number | null },
): Message {
  const { id } = prepared;
  const conversation = tx.conversations.findBy("people", setKey(direct.user_ids));
  const recipient_id = conversation?.recipient_id ?? direct.recipient_id ?? tx.next("recipients");
  const last_id = Math.max(id, conversation?.last_id ?? 0);
  tx.conversations.put({ recipient_id, user_ids: [...direct.user_ids], last_id });
  for (const user_id of direct.user_ids) tx.user_directs.add([user_id], id);
  return rowOf(tx, prepared, { stream_id: 0, topic_id: 0, recipient_id, spelling: null });
}

function rowOf(tx: Writer, prepared: PreparedHistory, location: MessageLocation): Message {
  const { id, content, rendered, client, timestamp, reactions } = prepared;
  const sender = tx.users.get(prepared.sender_id)!;
  // Files are stored already, so that rendering finds them.
  const message = newMessage(tx, id, sender, location, content, rendered, { client });
  if (prepared.isBackdated) recordBackdated(tx, id, timestamp);
  claimFiles(tx, sender, id, rendered.upload_path_ids);
  if (prepared.isMoved) recordMove(tx, oneId(id), NO_CHANNEL, location.stream_id, EVENT);
  const bits = prepared.isMoved ? message.bits | MOVED_IN : message.bits;
  const { edit_history, last_edit_timestamp, last_moved_timestamp } = prepared;
  const edits = { edit_history, last_edit_timestamp, last_moved_timestamp };
  return { ...message, bits, timestamp, reactions, ...edits };
}

function finish(
  tx: Writer,
  message: Message,
  { id, isMoved }: PreparedHistory,
  user_ids: readonly number[] | undefined,
): void {
  // The message counts as read, except for users whose flags say otherwise.
  tx.quiet.add([0], id);
  markMentions(tx, message, ({ user_id }) => {
    if (user_ids) return user_ids.includes(user_id);
    const sub = isMoved ? undefined : tx.subscriptions.get(user_id, message.stream_id);
    return sub !== undefined && isInIntervals(sub.intervals, id);
  });
}

/**
 * The original channel of moved messages, which has no subscribers: only flags decide who has them.
 */
const NO_CHANNEL = 0;
const EVENT = 1;

const oneId = (id: number) =>
  new Map([[chunkOf(id), setRange(emptyChunk(), offsetOf(id), offsetOf(id))]]);
