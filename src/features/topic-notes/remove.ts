// Deletes the note of a topic without messages, with its history.
import type { Writer } from "../../realm.ts";
import { releaseNote } from "../files/claim.ts";
import { emitNotes } from "./wire.ts";

export function dropNote(tx: Writer, topic_id: number, stream_id: number): void {
  const versions = [...tx.topic_note_versions.range({ from: [topic_id], to: [topic_id + 1] })];
  if (versions.length === 0) return;
  for (const { version } of versions) tx.topic_note_versions.delete(topic_id, version);
  tx.topic_notes.delete(topic_id);
  releaseNote(tx, topic_id);
  emitNotes(tx, stream_id);
}
