// Reads a whole Zulip export before anything is written: counts, losses and the highest ids.
import { yieldToEventLoop } from "../../../async/yield.ts";
import type { SequenceName } from "../../../schema/schema.ts";
import { countDamage, UNUSABLE_RECORD } from "../archive/damage.ts";
import type { Reporting } from "../report.ts";
import { ZulipChannels } from "./channels.ts";
import { ZulipGroups } from "./groups.ts";
import { Memberships } from "./memberships.ts";
import type { Choices } from "../people-map.ts";
import { ZulipPeople } from "./people.ts";
import { bool, idIn, int, text } from "./read/rows.ts";
import type { RecordKind, ZulipExport } from "./read/source.ts";
import { type UsableMessage, UsableMessages } from "./usable-messages.ts";

export interface Survey {
  readonly groups: ZulipGroups;
  readonly people: ZulipPeople;
  readonly channels: ZulipChannels;
  readonly memberships: Memberships;
  /** The lowest message id of each file. */
  readonly firstIds: readonly number[];
  readonly newest: number;
  readonly clients: ReadonlyMap<number, string>;
  /** The highest id of each sequence. */
  readonly sequences: Readonly<Partial<Record<SequenceName, number>>>;
}

/** The imported tables, with the names that the report uses for their rows. */
const IMPORTED_TABLES: Readonly<Record<string, string>> = {
  zerver_realmdomain: "domains",
  zerver_realmemoji: "custom emoji",
  zerver_realmfilter: "linkifiers",
  zerver_realmplayground: "code playgrounds",
  zerver_customprofilefield: "profile fields",
  zerver_customprofilefieldvalue: "profile values",
  zerver_channelfolder: "channel folders",
  zerver_subscription: "subscriptions",
  zerver_reaction: "reactions",
  zerver_usertopic: "topic policies",
  zerver_mutedtopic: "topic policies",
  zerver_muteduser: "muted users",
  zerver_alertword: "alert words",
  zerver_userstatus: "statuses",
  zerver_savedsnippet: "saved snippets",
  zerver_scheduledmessage: "scheduled messages",
  zerver_navigationview: "navigation views",
};

/** Tables that are read together with others or stored in another form. */
const TABLES_READ_TOGETHER = new Set([
  "zerver_realm",
  "zerver_userprofile",
  "zerver_userprofile_mirrordummy",
  "zerver_userprofile_crossrealm",
  "zerver_usergroup",
  "zerver_namedusergroup",
  "zerver_usergroupmembership",
  "zerver_groupgroupmembership",
  "zerver_stream",
  "zerver_recipient",
  "zerver_huddle",
  "zerver_defaultstream",
  "zerver_client",
  "zerver_service",
  "zerver_realmuserdefault",
  "zerver_realmauditlog",
]);

/** The sequences of tables whose rows keep their ids. */
const SEQUENCES: Readonly<Record<string, SequenceName>> = {
  zerver_scheduledmessage: "scheduled_messages",
  zerver_realmdomain: "realm_domains",
  zerver_realmemoji: "custom_emoji",
  zerver_realmfilter: "linkifiers",
  zerver_realmplayground: "playgrounds",
  zerver_customprofilefield: "profile_fields",
  zerver_channelfolder: "channel_folders",
  zerver_savedsnippet: "saved_snippets",
};

/** Tables that are imported in part. */
const GENERAL_LOSSES: Readonly<Record<string, string>> = {
  zerver_realmauditlog: "The audit log is read for the times of subscriptions alone.",
};
const MESSAGES_AT_ONCE = 200;

export async function survey(
  source: ZulipExport,
  { host, now, choices }: { host: string; now: number; choices: Choices },
  reporting: Reporting,
): Promise<Survey> {
  const groups = await ZulipGroups.read(source, reporting);
  const people = new ZulipPeople(host, now, choices, reporting);
  await people.read(source);
  groups.knowUsers(people.users);
  const channels = new ZulipChannels(groups, now, reporting);
  await channels.read(source, people.users);
  reporting.countFound("users", people.users.size);
  reporting.countFound("channels", channels.channels.size);
  reporting.countFound("user groups", groups.records().length);
  const memberships = await Memberships.read(source);
  const newestIds = await countTables(source, reporting);
  const clients = new Map<number, string>();
  for await (const { row } of source.rows("zerver_client")) {
    clients.set(idIn(row) ?? 0, (text(row, "name") ?? "").slice(0, 100));
  }
  const surveyed = { groups, people, channels, memberships, clients };
  const { firstIds, newest } = await readMessages(source, surveyed, reporting);
  reporting.checkIsReadable();
  const attachments = await countAttachments(source, reporting);
  const sequences = {
    ...newestIds,
    // Zulip uses one sequence for both.
    reminders: newestIds.scheduled_messages ?? 0,
    users: people.newest,
    groups: groups.newest,
    recipients: channels.newestRecipient,
    channels: Math.max(0, ...channels.channels.keys()),
    messages: newest,
    attachments,
  };
  return { ...surveyed, firstIds, newest, sequences };
}

async function countTables(source: ZulipExport, reporting: Reporting) {
  const newest: Partial<Record<SequenceName, number>> = {};
  for (const table of source.tables) {
    let count = 0;
    const sequence = Object.hasOwn(SEQUENCES, table) ? SEQUENCES[table] : undefined;
    const onOther = (location: string) => reporting.lost(UNUSABLE_RECORD, location);
    for await (const { row } of source.rows(table, onOther)) {
      if (++count % MESSAGES_AT_ONCE === 0) await yieldToEventLoop();
      if (sequence) newest[sequence] = Math.max(newest[sequence] ?? 0, idIn(row) ?? 0);
    }
    const isReadElsewhere =
      TABLES_READ_TOGETHER.has(table) && !Object.hasOwn(GENERAL_LOSSES, table);
    if (count === 0 || isReadElsewhere) continue;
    const name = Object.hasOwn(IMPORTED_TABLES, table) ? IMPORTED_TABLES[table] : undefined;
    if (name !== undefined) reporting.countFound(name, count);
    else {
      const loss = Object.hasOwn(GENERAL_LOSSES, table) ? GENERAL_LOSSES[table] : undefined;
      reporting.lost(loss ?? "A table is not taken over.", table, count);
    }
  }
  return newest;
}

async function countAttachments(source: ZulipExport, reporting: Reporting): Promise<number> {
  let newest = 0;
  const damage = countDamage(reporting, UNUSABLE_RECORD);
  const storedPaths = new Set<string>();
  for (const kind of RECORD_KINDS) {
    for await (const { row, entry } of source.records(kind, damage)) {
      if (entry && kind === "uploads") storedPaths.add(text(row, "s3_path") ?? "");
    }
  }
  for await (const { row, location } of source.attachments(damage)) {
    reporting.countFound("files");
    newest = Math.max(newest, idIn(row) ?? 0);
    const path = text(row, "path_id") ?? "";
    if (!source.entryOf("uploads", path) && !storedPaths.has(path)) {
      reporting.lost("The bytes of an uploaded file are missing.", location);
    }
  }
  return newest;
}

const RECORD_KINDS: readonly RecordKind[] = ["uploads", "avatars", "emoji", "realm_icons"];

type SurveyedData = Pick<Survey, "people" | "channels" | "memberships">;

async function readMessages(source: ZulipExport, surveyed: SurveyedData, reporting: Reporting) {
  const firstIds: number[] = [];
  let count = 0;
  const usableMessages = new UsableMessages(reporting);
  // Ids ascend over all files, so a file must start above the end of the previous one.
  for (const name of source.messageFiles) {
    const { messages, flags } = await source.messagesIn(
      name,
      countDamage(reporting, UNUSABLE_RECORD),
    );
    const channelOf = new Map<number, number>();
    /** The recipients of messages to group conversations whose members are not listed. */
    const unlistedOf = new Map<number, number>();
    let first = usableMessages.newest + 1;
    for await (const message of usableMessages.in(messages())) {
      if (++count % MESSAGES_AT_ONCE === 0) await yieldToEventLoop();
      if (channelOf.size === 0) first = message.id;
      noteMessage(message, surveyed, reporting);
      channelOf.set(message.id, surveyed.channels.channelOf(message.row)?.stream_id ?? 0);
      const recipient = int(message.row, "recipient") ?? 0;
      if (surveyed.channels.unlisted.has(recipient)) unlistedOf.set(message.id, recipient);
    }
    firstIds.push(first);
    for await (const { row, location } of flags()) {
      if (++count % MESSAGES_AT_ONCE === 0) await yieldToEventLoop();
      noteFlags(row, location, surveyed, channelOf, reporting);
      noteReceiver(row, surveyed, unlistedOf);
    }
  }
  for (const recipient of surveyed.channels.unlisted) {
    if (!surveyed.channels.groups.has(recipient)) continue;
    reporting.lost(UNLISTED_FILE, `zerver_recipient ${recipient}`);
  }
  return { firstIds, newest: usableMessages.newest };
}

function noteMessage(
  { row, location, timestamp }: UsableMessage,
  { people, channels }: SurveyedData,
  reporting: Reporting,
): void {
  reporting.countFound("messages");
  reporting.time(timestamp);
  const [sender, recipient] = [int(row, "sender") ?? 0, int(row, "recipient") ?? 0];
  const user = people.users.get(sender);
  const isKnown = user !== undefined;
  // Bots of imported messages are not members of the conversations in which they wrote.
  const isMember = user?.bot_type === null || channels.unlisted.has(recipient);
  if (isKnown && isMember && channels.isGroup(recipient)) channels.join(recipient, sender);
  // The other users of a direct conversation must be known, too.
  const others = channels.channelOf(row) ? [] : channels.directOf(row)?.user_ids;
  if (!isKnown || !others?.every((user_id) => people.users.has(user_id))) {
    reporting.lost("A message of an unknown sender or recipient is left out.", location);
  }
  if (bool(row, "has_attachment")) reporting.countFound("messages with files");
}

const UNLISTED_FILE =
  "A group conversation has no list of members: its writers and receivers are its members.";

function noteReceiver(
  row: Readonly<Record<string, unknown>>,
  { people, channels }: SurveyedData,
  unlistedOf: ReadonlyMap<number, number>,
): void {
  const recipient = unlistedOf.get(int(row, "message") ?? 0);
  const user_id = int(row, "user_profile") ?? 0;
  if (recipient !== undefined && people.users.has(user_id)) channels.join(recipient, user_id);
}

function noteFlags(
  row: Readonly<Record<string, unknown>>,
  location: string,
  { people, memberships }: SurveyedData,
  channelOf: ReadonlyMap<number, number>,
  reporting: Reporting,
): void {
  const [user_id, message_id] = [int(row, "user_profile") ?? 0, int(row, "message") ?? 0];
  reporting.countFound("flags of messages");
  const stream_id = channelOf.get(message_id);
  if (stream_id === undefined || !people.users.has(user_id)) {
    reporting.lost("Flags of an unknown message or user are left out.", location);
  } else if (stream_id !== 0 && !memberships.hasEvents) {
    memberships.notice(user_id, stream_id, message_id);
  }
}
