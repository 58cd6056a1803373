// Imports a Slack export into an organization, which may be in use: people, channels, history.
import type { Realm } from "../../../realm.ts";
import { openArchive } from "../archive/archive.ts";
import type { Archive } from "../archive/entries.ts";
import { BulkWriter } from "../bulk-later.ts";
import { tellProgress } from "../progress.ts";
import { MovingRefused } from "../refused.ts";
import { type MovingReport, Reporting, unlessBroken } from "../report.ts";
import { beginRun, finishRun } from "../runs.ts";
import { channelItem, CHANNELS_STEP, isChannel, showChannels } from "./channels.ts";
import { type Person, PEOPLE_STEP, personItem } from "./people.ts";
import { SlackExport } from "./reading.ts";
import { type Sources, survey } from "./survey.ts";
import { SlackHistory } from "./history-later.ts";

export const SLACK = "slack";
/** In one transaction, while a server has others to answer. */
const SERVING_ROWS_MAX = 100;

/** Reads everything and writes nothing. */
export async function planSlack(realm: Realm, path: string): Promise<MovingReport> {
  return withExport(path, async (slack, reporting) => {
    await survey(realm.read, slack, reporting);
    return reporting.end("planned");
  });
}

/** Imports an export, resumes an import that broke off, or adds what a later export has more. */
export async function importSlack(
  realm: Realm,
  path: string,
  is_serving: boolean,
): Promise<MovingReport> {
  return withExport(path, async (slack, reporting) => {
    const people = await survey(realm.read, slack, reporting);
    return unlessBroken(reporting, async () => {
      const source = slack.source;
      const { import_id } = await realm.write((tx) =>
        beginRun(tx, { product: SLACK, source, path }),
      );
      reporting.report.import_id = import_id;
      let written = 0;
      const found = Object.values(reporting.report.found).reduce((sum, count) => sum + count, 0);
      const onWritten = (table: string) => {
        reporting.written(table);
        tellProgress(++written, found);
      };
      const rows = is_serving ? SERVING_ROWS_MAX : undefined;
      const writer = new BulkWriter(realm, import_id, onWritten, rows);
      const sources = await writeSources(realm, import_id, writer, slack, people);
      await new SlackHistory(realm, import_id, writer, slack, sources).write();
      await showChannels(realm, import_id, slack.conversations.filter(isChannel));
      if (written > 0) await finishRun(realm, import_id, "done");
      else
        await realm.write((tx) => tx.imports.put({ ...tx.imports.get(import_id)!, state: "done" }));
    });
  });
}

/** Accounts first, then channels with their subscribers; both are few. */
async function writeSources(
  realm: Realm,
  import_id: number,
  writer: BulkWriter,
  slack: SlackExport,
  people: ReadonlyMap<string, Person>,
): Promise<Sources> {
  for (const person of people.values()) await writer.add(personItem(person));
  await writer.flush();
  const userIds = idsOf(realm, import_id, PEOPLE_STEP);
  for (const conversation of slack.conversations.filter(isChannel)) {
    await writer.add(channelItem(conversation, (key) => userIds.get(key)));
  }
  await writer.flush();
  return { userIds, channelIds: idsOf(realm, import_id, CHANNELS_STEP) };
}

function idsOf({ read }: Realm, import_id: number, step: number): Map<string, number> {
  const ids = new Map<string, number>();
  const range = { from: [import_id, step], to: [import_id, step + 1] };
  for (const { source_key, row_key } of read.imported.range(range)) {
    ids.set(source_key, Number(row_key[0]));
  }
  return ids;
}

async function withExport(
  path: string,
  work: (slack: SlackExport, reporting: Reporting) => Promise<MovingReport>,
): Promise<MovingReport> {
  const reporting = new Reporting(SLACK, path);
  let archive: Archive | undefined;
  try {
    archive = await openArchive(path);
    return await work(await SlackExport.open(archive), reporting);
  } catch (error) {
    if (!(error instanceof MovingRefused)) throw error;
    reporting.fault(error.message);
    return reporting.end("refused");
  } finally {
    await archive?.close();
  }
}
