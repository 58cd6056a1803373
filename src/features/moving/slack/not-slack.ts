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
  [
    "slackdump.sqlite",
    "Not a Slack export: this looks like a slackdump database: " +
      "convert it with slackdump convert -f export.",
  ],
  [
    "format.json",
    "Not a Slack export: this looks like a JSONL export inside a zip: unpack it first.",
  ],
  ["data.mdb", "Not a Slack export: this looks like a data directory of Skein."],
  ["messages/index.json", DISCORD_PACKAGE],
  ["Messages/index.json", DISCORD_PACKAGE],
];
const UNKNOWN = "Not a Slack export: neither channels.json nor dms.json exists.";

export function notSlack({ sizes }: Archive): MovingRefused {
  const names = [...sizes.keys()].map((name) => `/${name}`);
  const [, error] = OTHERS.find(([file]) => names.some((name) => name.endsWith(`/${file}`))) ?? [];
  return new MovingRefused(error ?? UNKNOWN);
}
