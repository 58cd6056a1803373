// Imports a Zulip export with its ids into a data directory that has no organization yet.
import type { Realm } from "../../../realm.ts";
import { type SequenceName, SEQUENCES } from "../../../schema/schema.ts";
import { setKey } from "../../../store/set-key.ts";
import { renderedDescription } from "../../messages/content/description.ts";
import { ownValue } from "../../../text/input/own-value.ts";
import { hostOf } from "../../people/wire.ts";
import { REALM_ID } from "../../realm/rules.ts";
import { Refusal } from "../../../contract/errors/general.ts";
import { openArchive } from "../archive/archive.ts";
import type { Archive } from "../archive/entries.ts";
import { BulkWriter } from "../bulk-writer-jobs.ts";
import type { Item } from "../write-row.ts";
import { collisions, hasRun, SPARE_IDS } from "./reserve-ids.ts";
import { reportProgress } from "../import-progress.ts";
import { MovingRefused } from "../errors.ts";
import { type MovingReport, Reporting, unlessBroken } from "../report.ts";
import { beginRun, finishRun } from "../import-runs.ts";
import { subscriptionOf } from "./channels.ts";
import { fileItems } from "./files.ts";
import { ZulipHistory } from "./history-jobs.ts";
import type { Choices } from "../people-map.ts";
import { personalItems } from "./user-data.ts";
import { ZulipPictures } from "./pictures.ts";
import { ZulipReactions } from "./reactions.ts";
import { int } from "./read/rows.ts";
import { scheduledItems } from "./scheduled-messages.ts";
import { realmRecord, settingDefaults } from "./settings.ts";
import { ZULIP, ZulipExport } from "./read/source.ts";
import { CONVERSATIONS_STEP, rowItem } from "./steps.ts";
import { type Survey, survey } from "./survey.ts";

interface ZulipOptions extends Choices {
  /** The URL of the old server; links to it are rewritten to this server. */
  readonly oldUrl: string | undefined;
}

const NO_HOST = "localhost";

/**
 * Reads the whole export and writes nothing. `realm` is absent if the data directory does not exist
 * yet.
 */
export async function planZulip(
  realm: Realm | undefined,
  path: string,
  options: ZulipOptions,
): Promise<MovingReport> {
  return withExport(path, async (source, reporting) => {
    if (realm) checkIsFree(realm, source);
    // Placeholders are enough without a realm, because a plan displays neither bot addresses nor
    // times.
    const host = realm ? hostOf(realm.config.url) : NO_HOST;
    await survey(source, { host, now: realm?.read.now ?? 0, choices: options }, reporting);
    return reporting.end("planned");
  });
}

/** Imports an export, or resumes an interrupted import of it. */
export async function importZulip(
  realm: Realm,
  path: string,
  options: ZulipOptions,
): Promise<MovingReport> {
  return withExport(path, async (source, reporting) => {
    checkIsFree(realm, source);
    const facts = { host: hostOf(realm.config.url), now: realm.read.now, choices: options };
    const surveyed = await survey(source, facts, reporting);
    for (const fault of collisions(realm.read, source, surveyed)) reporting.fault(fault);
    if (reporting.hasFaults) return reporting.end("refused");
    return unlessBroken(reporting, () =>
      new ZulipImport(realm, source, surveyed, options, reporting).write(path),
    );
  });
}

class ZulipImport {
  private written = 0;

  constructor(
    private readonly realm: Realm,
    private readonly source: ZulipExport,
    private readonly surveyed: Survey,
    private readonly options: ZulipOptions,
    private readonly reporting: Reporting,
  ) {}

  async write(path: string): Promise<void> {
    const { realm, reporting, source } = this;
    const { import_id } = await this.begin(path);
    reporting.report.import_id = import_id;
    const rowsFound = Object.values(reporting.report.found).reduce((sum, count) => sum + count, 0);
    const writer = new BulkWriter(realm, import_id, (table) => {
      reporting.countWritten(table);
      reportProgress(++this.written, rowsFound);
    });
    await this.writeOrganization(writer, import_id);
    const { users } = this.surveyed.people;
    const texts = {
      oldUrl: this.options.oldUrl,
      nameOf: (id: number) => users.get(id)?.full_name,
    };
    const knownEmoji = {
      emojiName: (id: number) => realm.read.custom_emoji.get(id)?.name,
      hasUser: (id: number) => users.has(id),
    };
    const { firstIds } = this.surveyed;
    const reactions = await ZulipReactions.read(source, firstIds, knownEmoji, reporting);
    try {
      const historyArguments = [
        realm,
        import_id,
        writer,
        source,
        this.surveyed,
        reactions,
        texts,
      ] as const;
      await new ZulipHistory(...historyArguments, reporting).write();
    } finally {
      await reactions.close();
    }
    const read = () => realm.read;
    await add(writer, scheduledItems(source, this.surveyed, read, texts, reporting));
    if (this.written > 0 || realm.read.imports.get(import_id)!.state !== "done") {
      await finishRun(realm, import_id, "done");
    }
  }

  /**
   * Raises the sequences, so that new rows get ids above those of this export and of later ones.
   */
  private begin(path: string) {
    const { sequences } = this.surveyed;
    const { source } = this.source;
    return this.realm.write((tx) => {
      const isNew = !hasRun(tx, this.source);
      for (const name of SEQUENCES) {
        const spareIds = isNew ? (ownValue(SPARE_IDS, name) ?? 0) : 0;
        const shortfall = (sequences[name] ?? 0) + spareIds - tx.last(name);
        if (shortfall > 0) tx.next(name satisfies SequenceName, shortfall);
      }
      // The intervals of subscriptions begin with the first event.
      if (tx.last("events") === 0) tx.next("events");
      // Imported messages do not notify anyone.
      tx.mail_progress.put({ realm_id: REALM_ID, message_id: tx.last("messages") });
      return beginRun(tx, { product: ZULIP, source, path });
    });
  }

  /** Each stage is written before the next one reads it. */
  private async writeOrganization(writer: BulkWriter, import_id: number): Promise<void> {
    const { realm, source, surveyed, reporting } = this;
    const { groups, people, channels } = surveyed;
    const { now } = realm.read;
    const pictures = new ZulipPictures(realm, import_id, source, reporting);
    await add(writer, [
      ...groups.records().map((group) => rowItem("groups", group)),
      rowItem("group_graph", { realm_id: REALM_ID, version: 1 }),
      rowItem("realm", realmRecord(source.realm, groups, channels.channels, now)),
    ]);
    await add(writer, pictures.organization());
    await add(writer, pictures.users(people.users.values()));
    const members = groups.members.filter(({ user_id }) => people.users.has(user_id));
    await add(
      writer,
      members.map((member) => rowItem("group_members", member)),
    );
    await add(
      writer,
      people.botRecords(channels.channels).map((bot) => rowItem("bots", bot)),
    );
    await add(writer, this.defaults());
    await add(writer, pictures.emoji());
    const rendered = (description: string) => this.described(description);
    const folders = channels.folders.map((folder) => {
      const rendered_description = rendered(folder.description);
      return rowItem("channel_folders", { ...folder, rendered_description });
    });
    await add(writer, folders);
    const rows = [...channels.channels.values()].map((channel) => {
      const rendered_description = rendered(channel.description);
      return rowItem("channels", { ...channel, rendered_description });
    });
    await add(writer, rows);
    await add(writer, this.subscriptions());
    await add(writer, this.conversations());
    const importedIds = { users: people.users, channels: channels.channels };
    await add(
      writer,
      personalItems(source, importedIds, () => realm.read, reporting, now),
    );
    await add(writer, fileItems(realm, import_id, source, people.users, reporting));
  }

  private async *defaults(): AsyncIterable<Item> {
    for await (const { row } of this.source.rows("zerver_realmuserdefault")) {
      for (const setting of settingDefaults(row)) yield rowItem("setting_defaults", setting);
    }
  }

  private async *subscriptions(): AsyncIterable<Item> {
    const { people, channels, memberships, newest } = this.surveyed;
    for await (const { row } of this.source.rows("zerver_subscription")) {
      const user_id = int(row, "user_profile") ?? 0;
      const channel = channels.channelOf(row);
      const user = people.users.get(user_id);
      if (!channel || !user) continue;
      const sub = subscriptionOf(row, user_id, channel.stream_id);
      yield rowItem("subscriptions", memberships.apply(sub, user.is_active, newest));
    }
  }

  private *conversations(): Iterable<Item> {
    const { people, channels } = this.surveyed;
    for (const [recipient_id, members] of channels.groups) {
      const user_ids = [...members].sort((a, b) => a - b);
      if (user_ids.every((id) => people.users.has(id)))
        yield conversationItem(recipient_id, user_ids);
    }
  }

  private described(description: string): string {
    try {
      return renderedDescription(this.realm.read, null, description);
    } catch (error) {
      if (error instanceof Refusal) return "";
      throw error;
    }
  }
}

/** Each set of users has one conversation. */
function conversationItem(recipient_id: number, user_ids: number[]): Item {
  return {
    step: CONVERSATIONS_STEP,
    source_key: String(recipient_id),
    bytes: user_ids.length * 8,
    write(tx) {
      const isKnown = tx.conversations.findBy("people", setKey(user_ids)) !== undefined;
      if (!isKnown) tx.conversations.put({ recipient_id, user_ids, last_id: 0 });
      return { table: "group conversations", row_key: [], checksum: 0 };
    },
  };
}

async function add(writer: BulkWriter, items: AsyncIterable<Item> | Iterable<Item>) {
  for await (const item of items) await writer.add(item);
  await writer.flush();
}

function checkIsFree({ read }: Realm, source: ZulipExport): void {
  if (!read.realm.has(REALM_ID) || hasRun(read, source)) return;
  throw new MovingRefused(
    "The data directory has an organization already. A Zulip export keeps the IDs of its " +
      "accounts, channels and messages, so it cannot be added to another organization, not even " +
      "to an empty one. Pass a new directory with --data.",
  );
}

async function withExport(
  path: string,
  work: (source: ZulipExport, reporting: Reporting) => Promise<MovingReport>,
): Promise<MovingReport> {
  const reporting = new Reporting(ZULIP, path);
  let archive: Archive | undefined;
  try {
    archive = await openArchive(path);
    return await work(await ZulipExport.open(archive), reporting);
  } catch (error) {
    if (!(error instanceof MovingRefused)) throw error;
    reporting.fault(error.message);
    return reporting.end("refused");
  } finally {
    await archive?.close();
  }
}
