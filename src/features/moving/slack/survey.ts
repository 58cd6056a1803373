// Reads a whole Slack export before anything is written: counts, losses and authors.
import type { Reader } from "../../../realm.ts";
import { PINS_PER_CHANNEL_MAX } from "../../pins/rules.ts";
import type { Choices } from "../people-map.ts";
import type { Reporting } from "../report.ts";
import { freeName, isChannel } from "./channels.ts";
import { Converting } from "./convert.ts";
import type { SlackEmoji } from "./emoji.ts";
import { type SlackFile, USER_KEY_LENGTH_MAX } from "./export-rules.ts";
import { addressOf } from "./linked-files.ts";
import { type Person, peopleOf, stranger } from "./people.ts";
import type { Conversation, Found, Workspace } from "./workspace.ts";

/** Ids on this server by keys of the source. */
export interface Sources {
  readonly userIds: ReadonlyMap<string, number>;
  readonly channelIds: ReadonlyMap<string, number>;
  readonly emojiIds: ReadonlyMap<string, number>;
}

const AT_ONCE = 200;

/** Returns every user who has an account in Slack or wrote a message there. */
export async function survey(
  reader: Reader,
  slack: Workspace,
  reporting: Reporting,
  choices: Choices,
  emoji: SlackEmoji,
): Promise<Map<string, Person>> {
  const people = peopleOf(slack, reporting, choices);
  for (const conversation of slack.conversations) {
    reporting.found(isChannel(conversation) ? "channels" : "direct conversations");
    const name = isChannel(conversation)
      ? freeName(reader, conversation, slack.label)
      : conversation.name;
    if (name !== conversation.name && conversation.name !== undefined) {
      const kind = "A channel is renamed, since its name is taken or too long.";
      reporting.lost(kind, `#${conversation.name} becomes #${String(name)}`);
    }
  }
  const names = {
    user(id: string) {
      if (!people.has(id)) reporting.lost("A mention names a user who is not in the export.", id);
      return "@**someone**";
    },
    channel: (id: string, name?: string) => `#**${name ?? id}**`,
  };
  const converting = new Converting(slack, names, reporting, (name) =>
    emoji.has(name) ? 0 : undefined,
  );
  let count = 0;
  const pins = new Map<string, number>();
  /** Ids of conversations whose members are known. */
  const surveyed = new Set<string>();
  for await (const found of slack.messages()) {
    if (++count % AT_ONCE === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    const converted = converting.convert(found);
    if (!converted) continue;
    if (found.message.is_pinned) notePin(pins, found, reporting);
    const { sender, username, timestamp, files, parts } = converted;
    if (found.message.followed_by?.length && converted.topic === "") {
      const kind = "A followed thread is no topic of its own: it is not followed.";
      reporting.lost(kind, found.place);
    }
    reporting.found("messages", Math.max(1, parts.length));
    reporting.time(timestamp);
    if (!people.has(sender)) people.set(sender, stranger(slack.label, sender, username));
    if (!surveyed.has(found.conversation.id)) {
      surveyed.add(found.conversation.id);
      for (const member of found.conversation.members ?? []) {
        if (people.has(member) || member.length > USER_KEY_LENGTH_MAX) continue;
        people.set(member, stranger(slack.label, member, undefined));
      }
    }
    for (const file of files) noteFile(slack, found.conversation, file, found.place, reporting);
  }
  slack.reportLosses?.(reporting);
  reporting.checkIsReadable(slack.damage);
  return people;
}

function notePin(
  pins: Map<string, number>,
  { conversation, place }: Found,
  reporting: Reporting,
): void {
  if (!isChannel(conversation)) {
    return reporting.lost("A pinned direct message is not pinned here.", place);
  }
  const count = (pins.get(conversation.id) ?? 0) + 1;
  pins.set(conversation.id, count);
  if (count <= PINS_PER_CHANNEL_MAX) return reporting.found("pinned messages");
  const kind = `A channel has more than ${PINS_PER_CHANNEL_MAX} pinned messages.`;
  reporting.lost(kind, place);
}

function noteFile(
  slack: Workspace,
  conversation: Conversation,
  file: SlackFile,
  place: string,
  reporting: Reporting,
): void {
  reporting.found("files");
  if (slack.entryOf(conversation, file)) return;
  if (addressOf(file)) return reporting.found("files to fetch from Slack");
  const name = String(file.name ?? file.id ?? "file");
  reporting.lost(
    "The content of a file is not in the export: only its name is imported.",
    `${place} ${name}`,
  );
}
