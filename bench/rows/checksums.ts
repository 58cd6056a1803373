// Cost of checksums of stored values, as a share of a send.
import { sendMessage } from "../../src/features/messages/send/send.ts";
import { sealed } from "../../src/store/checksums/checksum.ts";
import { Load, startSkein } from "../processes.ts";
import { median } from "../ratio.ts";
import { sendRequest } from "../requests.ts";
import { type Line, lineWithin } from "../row.ts";
import { GENERAL, openDataset, type Dataset, type Datasets } from "../datasets.ts";

const SENDERS = 16;
const WARM_UP = 10_000;
const SENDS = 3_000;
const ROUNDS = 9;
/** Number of sends whose values are recorded, to measure their checksums again. */
const RECORDED = 500;
const CONTENT = "the new build is **ready** to be tried, and the notes are on the page ".repeat(3);
const MICROSECONDS = 1_000;

export async function checksums(datasets: Datasets): Promise<Line[]> {
  const dataset = await datasets.createCopy({ people: 1_000 });
  const values = await checksumValues(await datasets.createCopy({ people: 1_000 }));
  for (let round = 0; round < ROUNDS; round++) checksumAll(values);
  await using skein = await startSkein(dataset.directory);
  using load = new Load();
  const requests = dataset.people
    .slice(0, SENDERS)
    .map((person, index) => sendRequest(person, GENERAL, `topic ${index % 8}`));
  const { port } = skein;
  await load.ask("send", { port, requests, count: WARM_UP });
  const shares: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = skein.cpu_ms;
    await load.ask("send", { port, requests, count: SENDS });
    const send_us = ((skein.cpu_ms - before) / SENDS) * MICROSECONDS;
    shares.push((100 * checksumAll(values)) / send_us);
  }
  const label = "checksums' share of a send's CPU, 16 senders, 200 bytes";
  return [lineWithin({ label, goal: 3, unit: "%" }, median(shares), shares)];
}

/** All values whose checksums are computed or verified during sequential sends. */
async function checksumValues({ directory, people }: Dataset): Promise<Uint8Array[]> {
  const realm = await openDataset(directory);
  const values: Uint8Array[] = [];
  const { crc32 } = Bun.hash;
  const sendOne = (index: number) =>
    realm.write((tx) => {
      const user = tx.users.get(people[index % SENDERS]!.user_id)!;
      return sendMessage(tx, user, { stream_id: GENERAL, topic: `topic ${index % 8}` }, CONTENT);
    });
  for (let index = 0; index < SENDERS; index++) await sendOne(index);
  Bun.hash.crc32 = (value, seed) => {
    values.push(Uint8Array.from(value as Uint8Array));
    return crc32(value, seed);
  };
  for (let index = 0; index < RECORDED; index++) await sendOne(index);
  Bun.hash.crc32 = crc32;
  await realm.close();
  return values;
}

/** CPU time for the checksums of one send in microseconds, without other work in between. */
function checksumAll(values: readonly Uint8Array[]): number {
  const started = process.cpuUsage();
  for (const value of values) sealed(value);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / RECORDED;
}
