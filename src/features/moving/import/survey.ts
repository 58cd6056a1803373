// Reads a whole archive before anything is written: counts, losses and authors.
import { yieldToEventLoop } from "../../../async/yield.ts";
import type { Reader } from "../../../realm.ts";
import { PINS_PER_CHANNEL_MAX } from "../../pins/rules.ts";
import type { Choices } from "../people-map.ts";
import type { Reporting } from "../report.ts";
import { CHANNEL_DESCRIPTION_LENGTH_MAX, foldedName } from "../../channels/rules.ts";
import { CHANNELS_STEP, descriptionOf, freeName, isChannel, isNameTaken } from "./channels.ts";
import { type Converted, Converting } from "./convert-message.ts";
import { type SourceFile, USER_KEY_LENGTH_MAX } from "../source/records-rules.ts";
import { Hashes, hashOfKey } from "./hashes.ts";
import { LinkSurvey } from "./link-survey.ts";
import { addressOf } from "./linked-files.ts";
import type { MentionNames } from "../source/inserted-names.ts";
import { externalAddress } from "../source/message-text.ts";
import type { SenderKeys } from "./sender-keys.ts";
import { MESSAGES_STEP } from "./steps.ts";
import { type Person, peopleOf, reportPlaceholders, unlistedSender } from "./users.ts";
import type { Conversation, FoundMessage, Workspace, SourceEmoji } from "../source/workspace.ts";

/** Ids on this server by keys of the source. */
export interface ImportedIds {
  readonly userIds: ReadonlyMap<string, number>;
  readonly channelIds: ReadonlyMap<string, number>;
  readonly emojiIds: ReadonlyMap<string, number>;
}

/** The import that this one continues. */
interface Earlier {
  /** 0 if there is none. */
  readonly import_id: number;
  readonly senders: SenderKeys;
}

const AT_ONCE = 200;

/** Returns every user whom the archive lists or who wrote a message in it. */
export async function survey(
  reader: Reader,
  workspace: Workspace,
  { import_id, senders }: Earlier,
  reporting: Reporting,
  choices: Choices,
  emoji: SourceEmoji,
): Promise<Map<string, Person>> {
  const people = peopleOf(workspace, reporting, choices);
  reportPlaceholders(reader, import_id, people, reporting);
  surveyChannels(reader, workspace, import_id, reporting);
  const names = countedNames(workspace, people, reporting);
  const converting = new Converting(
    ...([workspace, senders, () => names, reporting] as const),
    (name) => (emoji.has(name) ? 0 : undefined),
  );
  let count = 0;
  const pins = new Map<string, number>();
  const reacting = new AbsentUsers(people);
  const authors = new Map<Conversation, Set<string>>();
  /** Ids of conversations whose members are known. */
  const surveyed = new Set<string>();
  const repeatedMessages = new RepeatedMessages();
  const keys = new Hashes();
  const links = new LinkSurvey(workspace, keys, (key) =>
    reader.imported.has(import_id, MESSAGES_STEP, key),
  );
  for await (const sourceMessage of workspace.messages()) {
    if (++count % AT_ONCE === 0) await yieldToEventLoop();
    const converted = converting.convert(sourceMessage);
    if (!converted || repeatedMessages.has(converted, sourceMessage.location, reporting)) continue;
    noteMarks(pins, sourceMessage, converted, reporting);
    const { sender, username, timestamp, files, parts } = converted;
    keys.add(hashOfKey(converted.key));
    links.note(sourceMessage, parts);
    for (const { users } of converted.reactions) reacting.note(users, sourceMessage.location);
    reporting.countFound("messages", Math.max(1, parts.length));
    reporting.time(timestamp);
    if (!people.has(sender)) people.set(sender, unlistedSender(workspace.label, sender, username));
    if (!isChannel(sourceMessage.conversation))
      addAuthor(authors, sourceMessage.conversation, sender);
    if (!surveyed.has(sourceMessage.conversation.id)) {
      surveyed.add(sourceMessage.conversation.id);
      for (const member of sourceMessage.conversation.members ?? []) {
        if (people.has(member) || member.length > USER_KEY_LENGTH_MAX) continue;
        people.set(member, unlistedSender(workspace.label, member, undefined));
      }
    }
    for (const file of files)
      noteFile(workspace, sourceMessage.conversation, file, sourceMessage.location, reporting);
  }
  reacting.report(reporting);
  reportSameIds(keys.sort(), reporting);
  links.report(reporting);
  for (const [conversation, keys] of authors) conversation.members = [...keys];
  reportAccess(workspace, people, reporting);
  workspace.reportLosses?.(reporting);
  reporting.checkIsReadable(workspace.damage);
  return people;
}

/** Reports mentions of users and channels that the archive does not have. */
function countedNames(
  { conversations }: Workspace,
  people: ReadonlyMap<string, Person>,
  reporting: Reporting,
): MentionNames {
  const channelIds = new Set(conversations.map(({ id }) => id));
  return {
    user(id) {
      if (!people.has(id)) reporting.lost("A mention names a user who is not in the export.", id);
      return "@**someone**";
    },
    channel(id, name) {
      if (name === undefined && !channelIds.has(id)) {
        reporting.lost("A link names a channel that is not in the export.", id);
      }
      return `#**${name ?? id}**`;
    },
  };
}

/** Reports messages that no active account can read: other accounts cannot sign in. */
function reportAccess(
  { conversations }: Workspace,
  people: ReadonlyMap<string, Person>,
  reporting: Reporting,
): void {
  const users = [...people.values()].filter(({ is_bot }) => !is_bot);
  const isActive = (key: string) => people.get(key)?.is_active === true;
  if (users.length > 0 && !users.some(({ key }) => isActive(key))) {
    reporting.lost(CHANNEL_WITHOUT_ACCOUNTS, "");
  }
  for (const { kind, name = "", id, members = [], isForOwners } of conversations) {
    if (kind !== "private" || isForOwners || members.some(isActive)) continue;
    reporting.lost("A private channel has no member with an account.", `#${name || id}`);
  }
}

const CHANNEL_WITHOUT_ACCOUNTS =
  "No user of the archive has an address, so none can sign in: give addresses, as with --people.";

/**
 * Records the sender as a member of a direct conversation whose members the archive does not list.
 */
function addAuthor(
  authors: Map<Conversation, Set<string>>,
  conversation: Conversation,
  sender: string,
): void {
  if (conversation.members?.length) return;
  const authorIds = authors.get(conversation);
  if (authorIds) authorIds.add(sender);
  else authors.set(conversation, new Set([sender]));
}

/** Users who reacted to messages, but neither are in a list of users nor wrote a message. */
class AbsentUsers {
  private readonly found = new Map<string, { count: number; readonly location: string }>();

  constructor(private readonly people: ReadonlyMap<string, Person>) {}

  note(keys: readonly string[], location: string): void {
    for (const key of keys) {
      const entry = this.found.get(key);
      if (entry) entry.count += 1;
      else if (!this.people.has(key)) this.found.set(key, { count: 1, location });
    }
  }

  report(reporting: Reporting): void {
    for (const [key, { count, location }] of this.found) {
      const kind = "The users of a reaction are not in the export.";
      // A user may have written a message later.
      if (!this.people.has(key)) reporting.lost(kind, location, count);
    }
  }
}

const SAME_ID = "A message has the id of another one: it is left out.";

/**
 * Reports messages with the same id and different times, which `RepeatedMessages` does not find.
 */
function reportSameIds(count: number, reporting: Reporting): void {
  if (count === 0) return;
  reporting.lost(SAME_ID, "", count);
  reporting.countFound("messages", -count);
}

/** Finds messages with the same key and time as an earlier message. */
export class RepeatedMessages {
  private timestamp = 0;
  private readonly parts = new Map<string, string>();

  has({ key, timestamp, parts }: Converted, location: string, reporting: Reporting): boolean {
    if (timestamp !== this.timestamp) this.parts.clear();
    this.timestamp = timestamp;
    const text = parts.join("");
    const part = this.parts.get(key);
    // Not a loss if the text is the same: the files of an archive may overlap.
    if (part !== undefined && part !== text) {
      reporting.lost(SAME_ID, location);
    }
    if (part === undefined) this.parts.set(key, text);
    return part !== undefined;
  }
}

/** Channels of an earlier run keep the names that they have here. */
function surveyChannels(
  reader: Reader,
  { conversations, label }: Workspace,
  import_id: number,
  reporting: Reporting,
): void {
  const names = new Set<string>();
  const isTaken = (folded: string) => names.has(folded) || isNameTaken(reader, folded);
  for (const conversation of conversations) {
    reporting.countFound(isChannel(conversation) ? "channels" : "direct conversations");
    const isNew = !reader.imported.has(import_id, CHANNELS_STEP, conversation.id);
    if (!isChannel(conversation) || !isNew) continue;
    if ([...descriptionOf(conversation)].length > CHANNEL_DESCRIPTION_LENGTH_MAX) {
      const shownName = `#${conversation.name ?? conversation.id}`;
      reporting.lost("A channel description is too long: its end is left out.", shownName);
    }
    const name = freeName(isTaken, conversation, label);
    names.add(foldedName(name));
    if (name === conversation.name || conversation.name === undefined) continue;
    const kind = "A channel is renamed, since its name is taken or too long.";
    reporting.lost(kind, `#${conversation.name} → #${name}`);
  }
}

function noteMarks(
  pins: Map<string, number>,
  found: FoundMessage,
  { topic }: Converted,
  reporting: Reporting,
): void {
  const { is_pinned, followed_by = [] } = found.message;
  if (is_pinned) notePin(pins, found, reporting);
  if (followed_by.length === 0 || topic !== "") return;
  const kind = "A followed thread has no topic of its own: it is not followed.";
  reporting.lost(kind, found.location);
}

function notePin(
  pins: Map<string, number>,
  { conversation, location }: FoundMessage,
  reporting: Reporting,
): void {
  if (!isChannel(conversation)) {
    return reporting.lost("A pinned direct message is not pinned here.", location);
  }
  const count = (pins.get(conversation.id) ?? 0) + 1;
  pins.set(conversation.id, count);
  if (count <= PINS_PER_CHANNEL_MAX) return reporting.countFound("pinned messages");
  const kind = `A channel has more than ${PINS_PER_CHANNEL_MAX} pinned messages.`;
  reporting.lost(kind, location);
}

function noteFile(
  workspace: Workspace,
  conversation: Conversation,
  file: SourceFile,
  location: string,
  reporting: Reporting,
): void {
  reporting.countFound("files");
  if (workspace.entryOf(conversation, file) || externalAddress(file)) return;
  if (addressOf(file)) return reporting.countFound("files to fetch from Slack");
  const name = String(file.name ?? file.id ?? "file");
  reporting.lost(
    "The content of a file is not in the export: only its name is imported.",
    `${location} ${name}`,
  );
}
