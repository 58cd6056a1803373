// Reads a whole Slack export before anything is written: counts, losses, and who wrote.
import type { Reader } from "../../../realm.ts";
import type { Reporting } from "../report.ts";
import { freeName, isChannel } from "./channels.ts";
import { Converting } from "./convert.ts";
import type { SlackFile } from "./export-rules.ts";
import { addressOf } from "./fetching.ts";
import { type Person, peopleOf, stranger } from "./people.ts";
import type { Conversation, SlackExport } from "./reading.ts";

/** Ids here by keys of the source. */
export interface Sources {
  readonly userIds: ReadonlyMap<string, number>;
  readonly channelIds: ReadonlyMap<string, number>;
}

const AT_ONCE = 200;

/** Returns everybody who has an account in Slack or wrote there. */
export async function survey(
  reader: Reader,
  slack: SlackExport,
  reporting: Reporting,
): Promise<Map<string, Person>> {
  const people = peopleOf(slack, reporting);
  for (const conversation of slack.conversations) {
    reporting.found(isChannel(conversation) ? "channels" : "direct conversations");
    const name = isChannel(conversation) ? freeName(reader, conversation) : conversation.name;
    if (name !== conversation.name && conversation.name !== undefined) {
      const kind = "A channel gets another name, as its own is taken or too long.";
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
  const converting = new Converting(slack, names, reporting);
  let count = 0;
  for await (const found of slack.messages()) {
    if (++count % AT_ONCE === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    const converted = converting.convert(found);
    if (!converted) continue;
    const { sender, username, timestamp, files, parts } = converted;
    reporting.found("messages", Math.max(1, parts.length));
    reporting.time(timestamp);
    if (!people.has(sender)) people.set(sender, stranger(sender, username));
    for (const member of found.conversation.members ?? []) {
      if (!people.has(member)) people.set(member, stranger(member, undefined));
    }
    for (const file of files) noteFile(slack, found.conversation, file, found.place, reporting);
  }
  return people;
}

function noteFile(
  slack: SlackExport,
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
    "The bytes of a file are not in the export: its name is kept.",
    `${place} ${name}`,
  );
}
