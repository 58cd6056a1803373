// Repairs values derived from other rows: counters, sequences and index entries.
import type { Realm, Writer } from "../../realm.ts";
import { type SequenceName, SEQUENCES } from "../../schema/schema.ts";
import type { Walked } from "../../store/copy/walk.ts";
import { countOf } from "../../store/bitmap/encodings.ts";
import { REALM_ID } from "../realm/rules.ts";

/** The faults that can be repaired without deleting messages or rows, by their text. */
const REPAIRS: readonly (readonly [words: RegExp, mend: (tx: Writer, match: string[]) => void])[] =
  [
    [/^the sequence (\w+) is at (\d+), but (\d+) is already used/, raiseSequence],
    [/^topics (\d+) counts /, recountTopic],
    [/^upload_space counts /, recountUploads],
    [/^messages (\d+) is not listed in its (?:channel|topic|conversation)$/, reindexMessage],
  ];

export async function repairData(realm: Realm, { damage, indexes }: Walked): Promise<void> {
  for (const text of damage) {
    for (const [pattern, repair] of REPAIRS) {
      const match = pattern.exec(text);
      if (match) await realm.write((tx) => repair(tx, match.slice(1)));
    }
  }
  await realm.repairIndexes(indexes);
}

function raiseSequence(tx: Writer, [name = "", , value = "0"]: string[]): void {
  const sequence = SEQUENCES.find((item) => item === name) as SequenceName;
  const shortfall = Number(value) - tx.last(sequence);
  if (shortfall > 0) tx.next(sequence, shortfall);
}

function recountTopic(tx: Writer, [id = ""]: string[]): void {
  const topic = tx.topics.get(Number(id));
  if (!topic) return;
  let count = 0;
  for (const [, chunk] of tx.topic_messages.one([topic.topic_id]).walk()) count += countOf(chunk);
  tx.topics.put({ ...topic, count });
}

function recountUploads(tx: Writer): void {
  let bytes = 0;
  for (const { size } of tx.attachments.range()) bytes += size;
  tx.upload_space.put({ realm_id: REALM_ID, bytes });
}

/** Restores the index entries of a message from its row. */
function reindexMessage(tx: Writer, [id = ""]: string[]): void {
  const message = tx.messages.get(Number(id));
  if (!message) return;
  const { stream_id, topic_id, recipient_id } = message;
  if (stream_id === 0) tx.conversation_messages.add([recipient_id], message.id);
  else {
    tx.channel_messages.add([stream_id], message.id);
    tx.topic_messages.add([topic_id], message.id);
  }
}
