// Reads a Slack export: users, conversations, and all messages in order of time.
import { JSON_BYTES_MAX } from "../archive/archive.ts";
import {
  countDamage,
  type Damage,
  INCOMPLETE_MESSAGE,
  UNUSABLE_RECORD,
} from "../archive/damage.ts";
import { type Archive, folderWith } from "../archive/entries.ts";
import { cutListIn, isList, rowsIn } from "../archive/json-tables.ts";
import { MovingRefused } from "../errors.ts";
import { Reporting } from "../report.ts";
import { shapeValue } from "../json-fields.ts";
import type {
  Conversation,
  FoundMessage,
  Kind,
  Workspace,
  SourceEmoji,
} from "../source/workspace.ts";
import { CHANNEL, MESSAGE } from "../source/shapes.ts";
import {
  compareTs,
  secondsOf,
  type SourceChannel,
  type SourceFile,
} from "../source/records-rules.ts";
import type { SourceMessage, SourceUser } from "../source/records-rules.ts";
import { normalized } from "../../../text/normalize.ts";
import { complete } from "./complete-message.ts";
import { withDescriptions } from "./descriptions.ts";
import { listIn } from "./lists.ts";
import { linkReader } from "./permalinks.ts";
import { dumpIn, notSlack } from "./not-slack.ts";
import { groupNamesIn, GROUPS_FILE, UserGroups } from "./user-groups.ts";
import { type SlackUsers, USER_FILES, usersIn } from "./users.ts";

const LISTS: readonly [file: string, kind: Kind][] = [
  ["channels.json", "public"],
  ["groups.json", "private"],
  ["mpims.json", "group"],
  ["dms.json", "direct"],
];
/** Files at the top level that are read, or that contain nothing to import. */
const READ: readonly string[] = [
  ...LISTS.map(([file]) => file),
  ...USER_FILES,
  GROUPS_FILE,
  "integration_logs.json",
];
type ListedChannel = Omit<SourceChannel, "created"> & { created?: unknown };
const NO_CHANNEL = "A folder belongs to no listed channel: its messages are left out.";
/** The paths of uploaded files, with their ids. */
const UPLOADS = /^(?:__uploads\/([A-Z0-9]+)\/|.+\/attachments\/([A-Z0-9]+)-)[^/]*$/;
const DAY = /(?:^|\/)(\d{4}-\d{2}-\d{2})\.json$/;
const PINNED_MESSAGE = "C";
const ID = /^[A-Z0-9]{2,30}$/;

export class SlackExport implements Workspace {
  readonly product = "slack";
  readonly label = "Slack";
  readonly recognizedBy = "conversations";
  readonly emoji: SourceEmoji = new Map();
  /** Losses of the messages that were read last. */
  private losses = new Reporting("", "");
  private uploads: ReadonlyMap<string, string> | undefined;

  readonly linkTarget: NonNullable<Workspace["linkTarget"]>;

  private constructor(
    private readonly archive: Archive,
    /** The folder with the export, or "". */
    private readonly root: string,
    private readonly listed: SlackUsers,
    private readonly groupNames: ReadonlyMap<string, string>,
    readonly conversations: readonly Conversation[],
    /** Places of conversations that are left out. */
    private readonly unusable: readonly string[],
  ) {
    this.linkTarget = linkReader(conversations, this.source);
  }

  static async open(archive: Archive): Promise<SlackExport> {
    const root = rootOf(archive);
    if (root === undefined) throw await notSlack(archive);
    const hasDays = [...archive.sizes.keys()].some((name) => DAY.test(name));
    const dump = hasDays ? undefined : await dumpIn(archive);
    if (dump) throw dump;
    const unusable: string[] = [];
    const conversations = new Map<string, Conversation>();
    for (const [file, kind] of LISTS) {
      const channels = await listIn<ListedChannel>(archive, root + file, CHANNEL);
      for (const [index, channel] of channels.entries()) {
        const { id, name, created } = channel;
        if (typeof id !== "string" || !ID.test(id) || conversations.has(id)) {
          unusable.push(`${file}#${index + 1}`);
          continue;
        }
        const folder = kind === "direct" || !name ? id : name;
        // Exports from before 2016 have times as text.
        conversations.set(id, { ...channel, id, kind, folder, created: Number(created) });
      }
    }
    const users = await usersIn(archive, root);
    const groups = await groupNamesIn(archive, root);
    const described = withDescriptions([...conversations.values()], users.users);
    return new SlackExport(archive, root, users, groups, described, unusable);
  }

  get users(): readonly (SourceUser & { id: string })[] {
    return this.listed.users;
  }

  /** Identifies the workspace, so that a later export of it continues this one. */
  get source(): string {
    // Users of other workspaces are in the list, too, with those of shared channels.
    const teams = Map.groupBy(this.users, ({ team_id = "" }) => team_id);
    teams.delete("");
    const [team] = [...teams].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
    return team ?? this.conversations.map(({ id }) => id).sort()[0] ?? "";
  }

  get damage(): MovingRefused | undefined {
    return this.losses.damage;
  }

  reportLosses(reporting: Reporting): void {
    reporting.add(this.losses.report.losses);
    const unusable = [...this.unusable, ...this.listed.unusable];
    for (const location of unusable) reporting.lost(UNUSABLE_RECORD, location);
    for (const [kind, location] of this.listed.losses) reporting.lost(kind, location);
    this.reportUnread(reporting);
    for (const { name = "", pins = [] } of this.conversations) {
      for (const { type } of pins) {
        if (type !== PINNED_MESSAGE) reporting.lost("A pinned file is not pinned.", `#${name}`);
      }
    }
  }

  /** Yields all messages day by day, with one day in memory at a time. */
  async *messages(): AsyncIterable<FoundMessage> {
    this.losses = new Reporting("", "");
    const groups = new UserGroups(this.groupNames);
    for (const [, names] of this.days()) {
      const messages: FoundMessage[] = [];
      for (const [conversation, name] of names) {
        const pinned = new Set((conversation.pins ?? []).map(({ id }) => id));
        for (const { message, location } of await this.messagesIn(name)) {
          const { ts } = message;
          if (typeof ts !== "string" || secondsOf(ts) === 0) {
            this.losses.lost(INCOMPLETE_MESSAGE, location);
            continue;
          }
          const completed = {
            ...complete(message, this.listed.bots),
            ts,
            is_pinned: pinned.has(ts),
          };
          messages.push({ conversation, message: completed, location });
        }
      }
      messages.sort((a, b) => compareTs(a.message.ts, b.message.ts));
      for (const message of messages) yield { ...message, lost: groups.complete(message.message) };
    }
  }

  /** The messages of a day. A damaged file is read up to the damage, record by record. */
  private async messagesIn(name: string): Promise<{ message: SourceMessage; location: string }[]> {
    const relativeName = name.slice(this.root.length);
    try {
      const rows = await listIn<SourceMessage>(this.archive, name, MESSAGE);
      return rows.map((message, index) => ({ message, location: `${relativeName}#${index + 1}` }));
    } catch (error) {
      if (!(error instanceof MovingRefused)) throw error;
      return recordsIn(
        this.archive,
        name,
        relativeName,
        countDamage(this.losses, INCOMPLETE_MESSAGE),
      );
    }
  }

  /** The entry with the bytes of a file, at the path that slackdump uses. */
  entryOf(_conversation: Conversation, { id }: SourceFile): string | undefined {
    this.uploads ??= uploadsIn(this.archive, this.root);
    return id === undefined ? undefined : this.uploads.get(id);
  }

  sizeOf(entry: string): number {
    return this.archive.sizes.get(entry) ?? 0;
  }

  stream(entry: string): AsyncIterable<Uint8Array> {
    return this.archive.stream(entry);
  }

  /** The files of each day, oldest first. */
  private days(): [day: string, names: [Conversation, string][]][] {
    const days = new Map<string, [Conversation, string][]>();
    for (const { name, conversation, day } of this.entries()) {
      if (!conversation || day === undefined) continue;
      const names = days.get(day);
      if (names) names.push([conversation, name]);
      else days.set(day, [[conversation, name]]);
    }
    return [...days].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Reports JSON files without messages, or with the messages of an unknown channel. */
  private reportUnread(reporting: Reporting): void {
    for (const { inside, conversation, day } of this.entries()) {
      if (READ.includes(inside) || (conversation && day !== undefined)) continue;
      if (day !== undefined) reporting.lost(NO_CHANNEL, inside);
      else if (/canvas|list/i.test(inside)) {
        reporting.lost("A canvas or list is left out.", inside);
      } else reporting.lost("A file of the export has no messages: it is left out.", inside);
    }
  }

  /** Yields the JSON files that users did not upload, with their channels and days. */
  private *entries() {
    const folders = new Map(
      this.conversations.map((conversation) => [conversation.id, conversation]),
    );
    // Names come last, because they win if a folder is named like the id of another channel.
    for (const conversation of this.conversations)
      folders.set(normalized(conversation.folder, "NFC"), conversation);
    for (const name of this.archive.sizes.keys()) {
      if (!name.startsWith(this.root) || !name.endsWith(".json")) continue;
      const inside = name.slice(this.root.length);
      if (UPLOADS.test(inside)) continue;
      const [, folder = ""] = /^(.+)\/[^/]+$/.exec(inside) ?? [];
      const [, day] = DAY.exec(inside) ?? [];
      // macOS decomposes accented letters in file names.
      yield { name, inside, day, conversation: folders.get(normalized(folder, "NFC")) };
    }
  }
}

/** Entries of uploaded files by their ids. */
function uploadsIn({ sizes }: Archive, root: string): Map<string, string> {
  const foundNames = new Map<string, string>();
  for (const name of sizes.keys()) {
    const inside = name.startsWith(root) ? name.slice(root.length) : "";
    const [, first, second] = UPLOADS.exec(inside) ?? [];
    const id = first ?? second;
    if (id !== undefined && !foundNames.has(id)) foundNames.set(id, name);
  }
  return foundNames;
}

async function recordsIn(
  archive: Archive,
  name: string,
  label: string,
  damage: Damage,
): Promise<{ message: SourceMessage; location: string }[]> {
  const list = await cutListIn(archive, name, label, damage);
  // The messages of a day are kept in memory.
  const to = Math.min(list?.to ?? 0, JSON_BYTES_MAX);
  const isCut = list !== undefined && to < list.to;
  const error = isCut ? new MovingRefused("is too large", label) : list?.error;
  const part = list && { ...list, to, ...(error && { error }) };
  const replies: { message: SourceMessage; location: string }[] = [];
  for await (const { row, location } of rowsIn(archive, name, label, part, damage)) {
    // The validated shape has the fields of the type.
    replies.push({ message: (shapeValue(row, MESSAGE) ?? {}) as SourceMessage, location });
  }
  return replies;
}

/** A Discord export may have a file with such a name, but it contains an object, not a list. */
export async function isSlackExport(archive: Archive): Promise<boolean> {
  const root = rootOf(archive);
  if (root === undefined) return false;
  for (const [file] of LISTS) {
    if (archive.sizes.has(root + file) && (await isList(archive, root + file))) return true;
  }
  return false;
}

const rootOf = (archive: Archive) =>
  folderWith(
    archive,
    LISTS.map(([file]) => file),
  );
