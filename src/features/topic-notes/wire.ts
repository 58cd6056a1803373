// Events and responses about topic notes.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { TopicNote } from "../../schema/records-messages.ts";
import { renderedOf } from "../messages/wire.ts";

/** Names no topic, because not every subscriber may read it. Clients fetch the note again. */
const notesChanged = (stream_id: number): PlainEvent => ({
  type: "skein_topic_notes",
  needs: "skein_topic_notes",
  stream_id,
});

/** Returns the number of the event. */
export const emitNotes = (tx: Writer, stream_id: number): number =>
  tx.emit(notesChanged(stream_id), { to: "subscribers", stream_id });

export function noteObject(reader: Reader, note: TopicNote) {
  const { content, version, updated_by, updated_at } = note;
  return { content, rendered_content: renderedOf(reader, note), version, updated_by, updated_at };
}
