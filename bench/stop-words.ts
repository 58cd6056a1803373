// Measures what indexing stop words would cost: bytes that a send stores, and disk once merged.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose } from "../src/features/messages/content/compose.ts";
import { sendMessage } from "../src/features/messages/send/send.ts";
import { trimLog } from "../src/features/register/checkpoint.ts";
import { STOP_WORDS } from "../src/text/search/stop-words.ts";
import { storedBytes } from "./stored-bytes.ts";
import { foldSearchIndexes, openDataset, Datasets } from "./datasets.ts";
import { Texts } from "./words.ts";

const MESSAGES = 20_000;
const PER_WRITE = 200;
const BYTES = 200;
const TOPICS = 20;
/** Number of sends that merges no segment between the two measurements. */
const FRESH = 100;

interface MeasuredBytes {
  /** Bytes of keys and values that one send stores. */
  readonly send: number;
  /** The same for each message after all segments were merged. */
  readonly merged: number;
}

async function measureIndex(datasets: Datasets): Promise<MeasuredBytes> {
  const { directory, people, channels } = await datasets.createCopy({ people: 10, channels: 1 });
  const realm = await openDataset(directory);
  const texts = new Texts();
  const sender = realm.read.users.get(people[0]!.user_id)!;
  const send = (count: number) =>
    realm.write((tx) => {
      for (let index = 0; index < count; index++) {
        const conversation = { stream_id: channels[0]!, topic: `topic ${index % TOPICS}` };
        sendMessage(tx, sender, conversation, compose(tx, sender, texts.text(BYTES)));
      }
    });
  const size = async () => {
    await trimLog(realm);
    return storedBytes(directory);
  };
  const empty = await size();
  for (let sentCount = 0; sentCount < MESSAGES; sentCount += PER_WRITE) await send(PER_WRITE);
  await foldSearchIndexes(realm);
  const fullSize = await size();
  await send(FRESH);
  const fresh = await size();
  await realm.close();
  return { send: (fresh - fullSize) / FRESH, merged: (fullSize - empty) / MESSAGES };
}

const folder = mkdtempSync(join(tmpdir(), "skein-stop-words-"));
if (process.argv[2] === "indexed") (STOP_WORDS as Set<string>).clear();
try {
  const { send, merged } = await measureIndex(new Datasets(folder));
  console.log(`${send.toFixed(1)} bytes a send, ${merged.toFixed(1)} bytes a message when merged`);
} finally {
  rmSync(folder, { recursive: true });
}
