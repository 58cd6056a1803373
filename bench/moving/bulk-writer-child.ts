// Writes the messages of an archive from memory by the bulk writer, and prints the duration.
import { BulkWriter } from "../../src/features/moving/bulk-writer-jobs.ts";
import { openArchive } from "../../src/features/moving/archive/archive.ts";
import { CHANNELS_STEP } from "../../src/features/moving/import/channels.ts";
import { SenderKeys } from "../../src/features/moving/import/sender-keys.ts";
import { MessagesImport } from "../../src/features/moving/import/messages-jobs.ts";
import { PEOPLE_STEP } from "../../src/features/moving/import/users.ts";
import { runImport } from "../../src/features/moving/products/import-jobs.ts";
import { Reporting } from "../../src/features/moving/report.ts";
import { SlackExport } from "../../src/features/moving/slack/export.ts";
import type { Item } from "../../src/features/moving/write-row.ts";
import { cpuOf } from "../cpu.ts";
import { openDataset } from "../datasets.ts";

/** Converted messages that are in memory before they are written. */
const AT_ONCE = 2_000;

/** `lists`: the archive without its messages, whose users and channels are imported first. */
const [lists = "", from = "", data = ""] = process.argv.slice(2);

/** Holds rendered messages until there are many, and measures how long the writer takes them. */
class TimedWriter extends BulkWriter {
  private items: Item[] = [];
  count = 0;
  ms = 0;
  cpu_ms = 0;

  override async add(item: Item): Promise<void> {
    this.items.push(item);
    if (this.items.length >= AT_ONCE) await this.flush();
  }

  override async flush(): Promise<void> {
    const items = this.items.splice(0);
    const [cpu_ms, startedAt] = [cpuOf(process.pid), performance.now()];
    for (const item of items) await super.add(item);
    await super.flush();
    this.ms += performance.now() - startedAt;
    this.cpu_ms += cpuOf(process.pid) - cpu_ms;
    this.count += items.length;
  }
}

const realm = await openDataset(data);
const { import_id = 0 } = await runImport(realm, { from: lists }, false);
const idsOf = (step: number) => {
  const rows = realm.read.imported.range({
    from: [import_id, step],
    to: [import_id, step + 1],
  });
  return new Map([...rows].map(({ source_key, row_key }) => [source_key, Number(row_key[0])]));
};
const ids = { userIds: idsOf(PEOPLE_STEP), channelIds: idsOf(CHANNELS_STEP), emojiIds: new Map() };
const archive = await openArchive(from);
const workspace = await SlackExport.open(archive);
const writer = new TimedWriter(realm, import_id, () => {});
const senders = new SenderKeys(realm.read, import_id, workspace);
const reporting = new Reporting("", "");
await new MessagesImport(
  ...([realm, import_id, writer, workspace, ids, senders, reporting] as const),
  () => {},
).write();
await archive.close();
await realm.close();
const { count, ms, cpu_ms } = writer;
process.stdout.write(JSON.stringify({ count, ms, cpu_ms }));
