// Cost of the search index for a send and for the disk.
import { statSync } from "node:fs";
import { compose } from "../src/features/messages/content/compose.ts";
import { sendMessage } from "../src/features/messages/send/send.ts";
import { trimLog } from "../src/features/register/checkpoint.ts";
import { indexMessage } from "../src/features/search/index.ts";
import type { Realm } from "../src/realm.ts";
import { cpuOf } from "./cpu.ts";
import { Load, startSkein } from "./processes.ts";
import { measureAlternately, median } from "./ratio.ts";
import { postRequest } from "./requests.ts";
import { type Line, formatNumber, lineWithin } from "./row.ts";
import {
  foldSearchIndexes,
  GENERAL,
  openDataset,
  type Dataset,
  type Datasets,
} from "./datasets.ts";
import { Texts } from "./words.ts";

const BYTES = 200;
const SENDERS = 16;
const ROUNDS = 7;
const WARM_UP = 4_000;
const SENDS = 4_096;
const STORED = 100_000;
const PER_WRITE = 250;

export async function search(datasets: Datasets): Promise<Line[]> {
  const texts = new Texts();
  return [await share(datasets, texts), await disk(datasets, texts)];
}

/** CPU time of indexing as a share of a send. */
async function share(datasets: Datasets, texts: Texts): Promise<Line> {
  const sending = await cpuOfSend(await datasets.createCopy({ people: SENDERS }), texts);
  const indexing = await cpuOfIndex(await datasets.createCopy({ people: SENDERS }), texts);
  const shares = indexing.map((ms, round) => ms / sending[round]!);
  const label = `the index's share of a send's CPU, ${SENDERS} senders, ${BYTES} bytes`;
  const line = lineWithin(
    { label, goal: 0.35, unit: "" },
    median(indexing) / median(sending),
    shares,
  );
  const [indexingCost, sendingCost] = [indexing, sending].map(
    (all) => `${formatNumber(median(all) * 1000)} µs`,
  );
  return { ...line, candidate: indexingCost!, baseline: sendingCost! };
}

/** CPU time of the server, in milliseconds. */
async function cpuOfSend({ directory, people }: Dataset, texts: Texts): Promise<number[]> {
  await using skein = await startSkein(directory);
  using load = new Load();
  const send = (count: number) => {
    const requests = people.map((from) => {
      const to = { type: "channel", to: GENERAL, topic: "words" };
      return postRequest(from, "/messages", { ...to, content: texts.text(BYTES) });
    });
    return load.ask("send", { port: skein.port, requests, count });
  };
  await send(WARM_UP);
  const results: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = skein.cpu_ms;
    for (let part = 0; part < 4; part++) await send(SENDS / 4);
    results.push((skein.cpu_ms - before) / SENDS);
  }
  return results;
}

/** The same writes with and without the index, in this process: the difference. */
async function cpuOfIndex({ directory }: Dataset, texts: Texts): Promise<number[]> {
  const realm = await openDataset(directory);
  const write = async (isIndexed: boolean) => {
    const contents = Array.from({ length: SENDS }, () => texts.text(BYTES));
    const before = cpuOf(process.pid);
    for (let from = 0; from < SENDS; from += SENDERS) {
      const batch = contents.slice(from, from + SENDERS);
      await Promise.all(
        batch.map((content) =>
          realm.write((tx) => {
            const id = tx.next("messages");
            const message = { id, content, rendered_content: null, bits: 0 };
            if (isIndexed) indexMessage(tx, message);
          }),
        ),
      );
    }
    return (cpuOf(process.pid) - before) / SENDS;
  };
  const results = await measureAlternately(
    ROUNDS,
    () => write(true),
    () => write(false),
  );
  await realm.close();
  return results.candidate.map((ms, round) => ms - results.baseline[round]!);
}

async function disk(datasets: Datasets, texts: Texts): Promise<Line> {
  const { directory } = await datasets.createCopy({ people: 1 });
  const empty = statSync(`${directory}/data.mdb`).size;
  const realm = await openDataset(directory);
  const contents = Array.from({ length: STORED }, () => texts.text(BYTES));
  await fill(realm, contents);
  await foldSearchIndexes(realm);
  await trimLog(realm);
  await realm.close();
  const bytes = (statSync(`${directory}/data.mdb`).size - empty) / STORED;
  const label = `disk of a message of ${BYTES} bytes, with all indexes`;
  const rendered = BYTES + "<p></p>".length;
  const target = 2 * (BYTES + rendered) + 200;
  return lineWithin({ label, goal: target, unit: "bytes" }, bytes, [bytes]);
}

async function fill(realm: Realm, contents: readonly string[]): Promise<void> {
  const sender = realm.read.users.get(ownerOf(realm))!;
  for (let from = 0; from < contents.length; from += PER_WRITE) {
    const batch = contents.slice(from, from + PER_WRITE);
    const composed = batch.map((content) => compose(realm.read, sender, content));
    await realm.write((tx) => {
      for (const [index, item] of composed.entries()) {
        const topic = `topic ${index % 10}`;
        sendMessage(tx, sender, { stream_id: GENERAL, topic }, item);
      }
    });
  }
}

const ownerOf = ({ read }: Realm) =>
  [...read.users.range()].find(({ role, is_system_bot }) => role === 100 && !is_system_bot)!
    .user_id;
