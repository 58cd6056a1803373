// Scheduled messages and reminders of a Zulip export, with the jobs that deliver them.
import type { Reader, Writer } from "../../../realm.ts";
import { renderedBy } from "../../messages/content/compose.ts";
import { REMIND } from "../../reminders/actions.ts";
import { SEND_SCHEDULED } from "../../scheduled/actions.ts";
import { type Item, putRow, type Row, type Written } from "../write-row.ts";
import type { Reporting } from "../report.ts";
import { bool, idIn, int, seconds, text, type ZulipRow } from "./read/rows.ts";
import type { ZulipExport } from "./read/source.ts";
import { stepOf } from "./steps.ts";
import type { Survey } from "./survey.ts";
import { type TextContext, textHere } from "./read/text.ts";
import { topicIn } from "./read/topic.ts";

const SEND_LATER = 1;

/** Messages have been written already, so that reminders find theirs. */
export async function* scheduledItems(
  source: ZulipExport,
  { people, channels, clients }: Survey,
  reader: () => Reader,
  texts: TextContext,
  reporting: Reporting,
): AsyncIterable<Item> {
  for await (const { row, location } of source.rows("zerver_scheduledmessage")) {
    const [id, user_id] = [idIn(row), int(row, "sender") ?? 0];
    const time = seconds(row, "scheduled_timestamp");
    if (bool(row, "delivered") === true) continue;
    if (id === undefined || time === undefined || !people.users.get(user_id)?.is_active) {
      reporting.lost("A scheduled message cannot be taken over.", location);
      continue;
    }
    const { text: content } = textHere(texts, text(row, "content") ?? "", undefined);
    const author = reader().users.get(user_id)!;
    const rendered_content = renderedBy(reader(), author, content)?.html;
    const scheduledMessage = {
      id,
      user_id,
      time,
      content,
      rendered_content: rendered_content ?? "",
    };
    if ((int(row, "delivery_type") ?? SEND_LATER) !== SEND_LATER) {
      const target = int(row, "reminder_target_message_id") ?? 0;
      if (!reader().messages.has(target)) {
        reporting.lost("A reminder of a message that is not in the export is left out.", location);
      } else yield reminderItem(scheduledMessage, target, text(row, "reminder_note") ?? "");
      continue;
    }
    const channel = channels.channelOf(row);
    const others = channels.directOf(row)?.user_ids.filter((id) => id !== user_id) ?? [];
    if (rendered_content === undefined || (!channel && !channels.directOf(row))) {
      reporting.lost("A scheduled message cannot be taken over.", location);
      continue;
    }
    const to = channel ? [channel.stream_id] : others.length > 0 ? others : [user_id];
    const topic = channel ? topicIn(text(row, "subject") ?? "") : "";
    const client = clients.get(int(row, "sending_client") ?? 0) ?? "Zulip";
    yield scheduledItem(scheduledMessage, row, {
      type: channel ? "stream" : "private",
      to,
      topic,
      client,
    });
  }
}

interface ZulipScheduledMessage {
  readonly id: number;
  readonly user_id: number;
  readonly time: number;
  readonly content: string;
  readonly rendered_content: string;
}

function scheduledItem(
  scheduledMessage: ZulipScheduledMessage,
  source: ZulipRow,
  target: object,
): Item {
  const { id, user_id, time, content, rendered_content } = scheduledMessage;
  const failed = bool(source, "failed") ?? false;
  const read_by_sender = bool(source, "read_by_sender") ?? true;
  return item("scheduled_messages", scheduledMessage, (tx) => {
    const payload = { user_id, scheduled_message_id: id };
    const job_id = tx.enqueue(SEND_SCHEDULED, time * 1000, payload);
    return {
      ...{ user_id, scheduled_message_id: id, ...target, content, rendered_content },
      ...{
        scheduled_delivery_timestamp: time,
        read_by_sender,
        failed,
        job_at: time * 1000,
        job_id,
      },
    };
  });
}

function reminderItem(
  scheduledMessage: ZulipScheduledMessage,
  reminder_target_message_id: number,
  note: string,
): Item {
  const { id, user_id, time, content, rendered_content } = scheduledMessage;
  return item("reminders", scheduledMessage, (tx) => {
    const job_id = tx.enqueue(REMIND, time * 1000, { user_id, reminder_id: id });
    return {
      ...{ user_id, reminder_id: id, reminder_target_message_id, note, content },
      ...{ rendered_content, scheduled_delivery_timestamp: time, failed: false },
      ...{ job_at: time * 1000, job_id },
    };
  });
}

function item(
  table: "scheduled_messages" | "reminders",
  { id, user_id, content }: ZulipScheduledMessage,
  rowOf: (tx: Writer) => Row,
): Item {
  return {
    step: stepOf(table),
    source_key: String(id),
    bytes: content.length * 2,
    write(tx): Written {
      return { table, row_key: [user_id, id], checksum: putRow(tx, table, rowOf(tx)) };
    },
  };
}
