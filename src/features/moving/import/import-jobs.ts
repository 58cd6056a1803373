// Imports users, channels and messages of a product into an organization that may be in use.
import type { Reader, Realm } from "../../../realm.ts";
import type { ImportRun } from "../../../schema/records-moving.ts";
import { openArchive } from "../archive/archive.ts";
import type { Archive } from "../archive/entries.ts";
import { BulkWriter } from "../bulk-writer-jobs.ts";
import { reportProgress } from "../import-progress.ts";
import { MovingPostponed, MovingRefused } from "../errors.ts";
import { type MovingReport, Reporting, unlessBroken } from "../report.ts";
import { beginRun, finishRun } from "../import-runs.ts";
import { earlierRun } from "./earlier-run.ts";
import { channelItem, CHANNELS_STEP, folderItem, isChannel, showChannels } from "./channels.ts";
import type { Choices } from "../people-map.ts";
import { type Person, PEOPLE_STEP } from "./users.ts";
import { peopleItems } from "./avatars.ts";
import type { OpeningChoices, OpenWorkspace, Workspace } from "../source/workspace.ts";
import { emojiIds, emojiIn, emojiItems } from "./custom-emoji.ts";
import { LINKS } from "./link-survey.ts";
import { SenderKeys } from "./sender-keys.ts";
import { type ImportedIds, survey } from "./survey.ts";
import { MessagesImport } from "./messages-jobs.ts";

/** The product in reports about archives that cannot be opened. */
const UNKNOWN_PRODUCT = "slack";

interface WorkspaceChoices extends Choices, OpeningChoices {
  /** A folder with images of custom emoji. */
  readonly emoji: string | undefined;
}

/** Reads the whole archive and writes nothing. `onPeople` receives the users of its list. */
export async function planWorkspace(
  realm: Realm,
  path: string,
  choices: WorkspaceChoices,
  open: OpenWorkspace,
  onPeople?: (people: readonly Person[]) => void,
): Promise<MovingReport> {
  return withExport(path, choices, open, async (workspace, reporting) => {
    const emoji = new Map([...workspace.emoji, ...emojiIn(choices.emoji, reporting)]);
    const before = await earlierRun(realm.read, workspace);
    const earlier = knownOf(realm.read, workspace, before);
    const people = await survey(realm.read, workspace, earlier, reporting, choices, emoji);
    onPeople?.(workspace.users.flatMap(({ id }) => people.get(id) ?? []));
    return reporting.end("planned");
  });
}

/** Imports an export, resumes an interrupted import, or adds the new data of a later export. */
export async function importWorkspace(
  realm: Realm,
  path: string,
  is_serving: boolean,
  choices: WorkspaceChoices,
  open: OpenWorkspace,
): Promise<MovingReport> {
  return withExport(path, choices, open, async (workspace, reporting) => {
    const emoji = new Map([...workspace.emoji, ...emojiIn(choices.emoji, reporting)]);
    const before = await earlierRun(realm.read, workspace);
    const earlier = knownOf(realm.read, workspace, before);
    const people = await survey(realm.read, workspace, earlier, reporting, choices, emoji);
    return unlessBroken(reporting, async () => {
      const { source, product } = workspace;
      const { import_id } = await realm.write((tx) =>
        beginRun(tx, { product, source, path }, before),
      );
      reporting.report.import_id = import_id;
      let rowsWritten = 0;
      const rowsFound = Object.values(reporting.report.found).reduce(
        (sum, count) => sum + count,
        0,
      );
      const onWritten = (table: string) => {
        reporting.countWritten(table);
        reportProgress(++rowsWritten, rowsFound);
      };
      const writer = new BulkWriter(realm, import_id, onWritten, is_serving);
      const ownEmoji = emojiItems(realm, import_id, emoji, reporting);
      for await (const item of ownEmoji) await writer.add(item);
      const sources = {
        ...(await writeSources(realm, import_id, writer, workspace, people, reporting)),
        emojiIds: emojiIds(realm, emoji),
      };
      await new MessagesImport(
        ...([realm, import_id, writer, workspace, sources, earlier.senders, reporting] as const),
        (links) => {
          if (links === 0) return;
          reporting.countWritten(LINKS, links);
          reportProgress((rowsWritten += links), rowsFound);
        },
      ).write();
      await showChannels(realm, import_id, workspace.conversations.filter(isChannel));
      if (rowsWritten > 0) await finishRun(realm, import_id, "done");
      else
        await realm.write((tx) => tx.imports.put({ ...tx.imports.get(import_id)!, state: "done" }));
    });
  });
}

function knownOf(reader: Reader, workspace: Workspace, before: ImportRun | undefined) {
  const import_id = before?.import_id ?? 0;
  return { import_id, senders: new SenderKeys(reader, import_id, workspace) };
}

/** Writes accounts first, because channels refer to them as subscribers. */
async function writeSources(
  realm: Realm,
  import_id: number,
  writer: BulkWriter,
  workspace: Workspace,
  people: ReadonlyMap<string, Person>,
  reporting: Reporting,
): Promise<Omit<ImportedIds, "emojiIds">> {
  for await (const item of peopleItems(realm, import_id, workspace, people, reporting)) {
    await writer.add(item);
  }
  const teams = new Set(workspace.conversations.flatMap(({ team }) => team ?? []));
  for (const team of teams) await writer.add(folderItem(team));
  await writer.flush();
  const userIds = idsOf(realm, import_id, PEOPLE_STEP);
  for (const conversation of workspace.conversations.filter(isChannel)) {
    await writer.add(channelItem(conversation, workspace.label, (key) => userIds.get(key)));
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
  choices: OpeningChoices,
  open: OpenWorkspace,
  work: (workspace: Workspace, reporting: Reporting) => Promise<MovingReport>,
): Promise<MovingReport> {
  let reporting = new Reporting(UNKNOWN_PRODUCT, path);
  let archive: Archive | undefined;
  let workspace: Workspace | undefined;
  try {
    archive = await openArchive(path);
    workspace = await open(archive, choices);
    reporting = new Reporting(workspace.product, path);
    return await work(workspace, reporting);
  } catch (error) {
    const isOfArchive = error instanceof MovingRefused && !(error instanceof MovingPostponed);
    if (!isOfArchive) throw error;
    reporting.fault(error.message);
    return reporting.end("refused");
  } finally {
    await workspace?.close?.();
    await archive?.close();
  }
}
