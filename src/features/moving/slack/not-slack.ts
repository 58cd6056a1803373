// Says why an archive is no Slack export, by the files of other products in it.
import type { Archive } from "../archive/entries.ts";
import { MovingRefused } from "../errors.ts";

const DISCORD_PACKAGE =
  "Not a Slack export: this looks like Discord's own data package. " +
  "It has only your own messages: export the server with DiscordChatExporter.";

/** Top-level files of other products' archives. */
const OTHERS: readonly [file: string, error: string][] = [
  ["realm.json", "Not a Slack export: this looks like a Zulip export."],
  ["import.jsonl", "Not a Slack export: this looks like a Mattermost export."],
  ["slackdump.sqlite", slackdump("database")],
  ["workspace.json.gz", slackdump("chunk directory")],
  ["channels.json.gz", slackdump("chunk directory")],
  [
    "format.json",
    "Not a Slack export: this looks like a JSONL export inside a zip: unpack it first.",
  ],
  ["data.mdb", "Not a Slack export: this looks like a data directory of Skein."],
  ["messages/index.json", DISCORD_PACKAGE],
  ["Messages/index.json", DISCORD_PACKAGE],
];
const UNKNOWN_EXPORT = "Not a Slack export: neither channels.json nor dms.json exists.";

function slackdump(format: string): string {
  return (
    `Not a Slack export: this looks like a slackdump ${format}. ` +
    "Convert it with: slackdump convert -f export -o export.zip FOLDER"
  );
}

/** The file of a conversation, or of a thread of one. */
const SLACKDUMP_FILE = /(?:^|\/)[CDG][A-Z0-9]{2,30}(?:-[\d.]+)?\.json$/;
const DUMP =
  "Not a Slack export: this looks like a slackdump dump, which lacks users and channels. " +
  "Export them again with: slackdump export -o export.zip";
const HEAD_BYTES = 200;

export async function notSlack(archive: Archive): Promise<MovingRefused> {
  const names = [...archive.sizes.keys()].map((name) => `/${name}`);
  const [, error] = OTHERS.find(([file]) => names.some((name) => name.endsWith(`/${file}`))) ?? [];
  return (
    (error === undefined && (await dumpIn(archive))) || new MovingRefused(error ?? UNKNOWN_EXPORT)
  );
}

/** The error for a dump of slackdump, which may have a list of channels; undefined: not a dump. */
export async function dumpIn(archive: Archive): Promise<MovingRefused | undefined> {
  const name = [...archive.sizes.keys()].find((entry) => SLACKDUMP_FILE.test(entry));
  const isDump = name !== undefined && (await isConversation(archive, name));
  return isDump ? new MovingRefused(DUMP) : undefined;
}

async function isConversation(archive: Archive, name: string): Promise<boolean> {
  let head = "";
  for await (const piece of archive.stream(name, { from: 0, to: HEAD_BYTES })) {
    head += Buffer.from(piece).toString("latin1");
  }
  return /^\s*\{\s*"(?:channel_id|name|thread_ts)"/.test(head) && head.includes('"channel_id"');
}
