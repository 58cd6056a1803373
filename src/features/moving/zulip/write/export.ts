// Exports an organization in the layout of Zulip's own exports, from a copy of the database.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reader, Realm } from "../../../../realm.ts";
import type { Message } from "../../../../schema/records-messages.ts";
import { ownValue } from "../../../../text/input/own-value.ts";
import { Spool } from "../../archive/spool.ts";
import { type MovingReport, Reporting } from "../../report.ts";
import { inNewFolder, withSnapshot } from "../../export-snapshot.ts";
import { REALM_FILE, ZULIP } from "../read/source.ts";
import { Clients } from "./clients.ts";
import { FileFolders } from "./files.ts";
import { JsonFile, type OutRow, type OutRows } from "./json-file.ts";
import { COUNTED_LOSSES, NOT_IN_ZULIP } from "./missing-data-rules.ts";
import { MessageFiles } from "./messages.ts";
import {
  groupTables,
  linkedRows,
  realmRow,
  SettingGroups,
  userDefaultRows,
} from "./organization-tables.ts";
import { PeopleTables } from "./people-tables.ts";
import { ChannelTables } from "./channel-tables.ts";
import { type ExportKind, Scope } from "./scope.ts";
import type { Template } from "./template.ts";

interface ZulipExportOptions {
  readonly kind: ExportKind;
  /** An export of the destination server. */
  readonly template?: Template | undefined;
}

/** Tables that Zulip's importer expects and that are empty in this export. */
const EMPTY = [
  "zerver_realmauthenticationmethod",
  "zerver_realmexport",
  "zerver_presencesequence",
  "zerver_onboardingusermessage",
  "zerver_onboardingstep",
  "zerver_useractivity",
  "zerver_useractivityinterval",
  "zerver_userpresence",
  "zerver_botstoragedata",
  "zerver_botconfigdata",
];
const NO_TEMPLATE =
  "Without --like, the archive fits no Zulip server: its importer compares database migrations.";

/** The folder must be new or empty. Zulip's importer reads an unpacked folder. */
export function exportZulip(
  realm: Realm,
  directory: string,
  options: ZulipExportOptions,
): Promise<MovingReport> {
  return inNewFolder(directory, () => writeArchive(realm, directory, options));
}

async function writeArchive(
  realm: Realm,
  directory: string,
  { kind, template }: ZulipExportOptions,
): Promise<MovingReport> {
  const reporting = new Reporting(ZULIP, directory);
  await withSnapshot(realm, directory, async (reader) => {
    const scope = new Scope(reader, kind);
    await new ZulipWriter(realm, reader, scope, directory, reporting, template).write();
    for (const table of COUNTED_LOSSES) {
      const count = reader[table].count();
      if (count > 0) reporting.lost(`${ownValue(NOT_IN_ZULIP, table)}.`, table, count);
    }
  });
  if (template) template.copyTo(directory);
  else reporting.lost(NO_TEMPLATE, "migration_status.json");
  return reporting.end("exported");
}

class ZulipWriter {
  private readonly clients = new Clients();

  constructor(
    private readonly realm: Realm,
    private readonly reader: Reader,
    private readonly scope: Scope,
    private readonly directory: string,
    private readonly reporting: Reporting,
    private readonly template: Template | undefined,
  ) {}

  async write(): Promise<void> {
    const { reader, scope, directory, reporting, realm } = this;
    const messages = new MessageFiles(reader, scope, this.clients, reporting);
    const reactions = await Spool.open("reactions");
    try {
      await messages.write(directory, (message) => addReactions(reactions, message));
      await this.writeRealm(reactions);
    } finally {
      await reactions.close();
    }
    await new FileFolders(realm, reader, scope, directory, reporting).write();
    const analytics = { analytics_realmcount: [], analytics_usercount: [] };
    const all = { ...analytics, analytics_streamcount: [] };
    writeFileSync(join(directory, "analytics.json"), JSON.stringify(all), { mode: 0o600 });
  }

  private async writeRealm(reactions: Spool): Promise<void> {
    const file = new JsonFile(join(this.directory, REALM_FILE));
    try {
      file.value("import_source", "zulip");
      for (const [table, rows] of this.tables()) await this.table(file, table, rows);
      await this.table(file, "zerver_reaction", reactionRows(reactions));
      file.close();
    } catch (error) {
      file.abandon();
      throw error;
    }
  }

  private async table(file: JsonFile, table: string, rows: OutRows): Promise<void> {
    const shaped = this.template ? this.template.shapeRows(table, rows) : rows;
    this.reporting.countWritten(table, await file.table(table, shaped));
  }

  /** Groups are written after everything with settings, because settings refer to groups. */
  private *tables(): Iterable<[table: string, rows: OutRows]> {
    const { reader, scope } = this;
    const groups = new SettingGroups(reader.last("groups"));
    const [people, channels] = [
      new PeopleTables(reader, scope, this.clients),
      new ChannelTables(reader, scope),
    ];
    yield ["zerver_realm", [realmRow(reader, groups)]];
    yield ["zerver_realmuserdefault", userDefaultRows(reader)];
    yield* linkedRows(reader);
    yield ["zerver_stream", channels.channels(groups)];
    // The first call adds the unnamed groups that settings of groups contain.
    groupTables(reader, groups);
    yield* Object.entries(groupTables(reader, groups));
    yield ["zerver_defaultstream", channels.defaults()];
    yield ["zerver_recipient", channels.recipients()];
    yield ["zerver_huddle", channels.huddles()];
    yield ["zerver_subscription", channels.subscriptions()];
    yield ["zerver_realmauditlog", channels.auditLog()];
    yield ["zerver_userprofile", people.users(false)];
    yield ["zerver_userprofile_mirrordummy", people.users(true)];
    yield ["zerver_userprofile_crossrealm", people.systemBots()];
    yield ["zerver_service", people.services()];
    yield ["zerver_customprofilefieldvalue", people.profileValues()];
    const recipientOf = (stream_id: number) => channels.recipientOf("stream", 0, [stream_id]) ?? 0;
    yield ["zerver_usertopic", people.userTopics(recipientOf)];
    yield ["zerver_muteduser", people.mutedUsers()];
    yield ["zerver_alertword", people.alertWords()];
    yield ["zerver_userstatus", people.statuses()];
    yield ["zerver_savedsnippet", people.snippets()];
    yield ["zerver_navigationview", people.navigationViews()];
    const recipient = (type: string, user_id: number, to: readonly number[]) =>
      channels.recipientOf(type, user_id, to);
    yield ["zerver_scheduledmessage", people.scheduled(recipient)];
    yield ["zerver_client", this.clients.rows()];
    for (const table of EMPTY) yield [table, []];
  }
}

async function addReactions(spool: Spool, { id: message, reactions }: Message): Promise<void> {
  for (const { user_id: user_profile, ...emoji } of reactions ?? []) {
    await spool.add(0, { user_profile, message, ...emoji });
  }
}

async function* reactionRows(spool: Spool): AsyncIterable<OutRow> {
  let id = 0;
  // Written by `addReactions` in this form.
  for await (const row of spool.each(0)) yield { id: ++id, ...(row as OutRow) };
}
