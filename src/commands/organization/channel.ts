// `skein channel …`: lists, creates, changes and archives channels.
import { executeCommand } from "../control.ts";
import { command } from "../flags.ts";
import { by, data } from "./org.ts";

const channel = {
  value: "CHANNEL",
  required: true,
  description: "name or number of the channel",
} as const;
const json = { description: "print stream_id and name as JSON" } as const;

export const listChannels = command({
  description: "lists all channels, including private ones",
  examples: ["skein channel list", "skein channel list --json"],
  flags: { data, json: { description: "print one JSON object per line" } },
  async run(flags) {
    for (const shownChannel of await executeCommand(flags.data, "listChannels", {})) {
      if (flags.json) {
        console.log(JSON.stringify(shownChannel));
        continue;
      }
      const kind = shownChannel.is_web_public
        ? "public on the web"
        : shownChannel.is_private
          ? "private"
          : "public";
      const state = shownChannel.is_archived ? `${kind}, archived` : kind;
      const number = String(shownChannel.stream_id).padStart(6);
      console.log(
        `${number}  ${shownChannel.name}  (${state}, ${shownChannel.subscribers} subscribers)`,
      );
    }
  },
});

export const createChannel = command({
  description: "creates a channel",
  examples: [
    "skein channel create --name kitchen",
    "skein channel create --name board --private --subscribers olga@example.com,bo@example.com",
  ],
  flags: {
    data,
    by,
    name: { value: "NAME", required: true, description: "name of the channel" },
    description: { value: "TEXT", default: "", description: "description of the channel" },
    private: { description: "create a private channel" },
    subscribers: {
      value: "EMAIL,…",
      default: "",
      description: "email addresses of the first subscribers",
    },
    json,
  },
  notes: "If no subscribers are named, the acting user is subscribed to a private channel.",
  async run({ name, description, ...flags }) {
    const emails = flags.subscribers.split(",").flatMap((item) => item.trim() || []);
    const userRequests = emails.map((email) => executeCommand(flags.data, "findUser", { email }));
    const subscribers = (await Promise.all(userRequests)).map(({ user_id }) => user_id);
    const params = { name, description, subscribers, invite_only: flags.private };
    const created = await executeCommand(flags.data, "createChannel", { params, by: flags.by });
    const stream_id = Number(created["id"]);
    if (flags.json) console.log(JSON.stringify({ stream_id, name }));
    else console.log(`Created channel ${stream_id}: ${name}`);
  },
});

export const setChannel = command({
  description: "changes a setting of a channel",
  examples: [
    "skein channel set --channel kitchen --setting new_name --value pantry",
    "skein channel set --channel kitchen --setting message_retention_days --value 30",
  ],
  flags: {
    data,
    by,
    channel,
    setting: {
      value: "NAME",
      required: true,
      description: "name of the setting in the API: new_name, description, is_private, …",
    },
    value: { value: "VALUE", required: true, description: "new value: text or JSON" },
    json,
  },
  async run({ setting, value, ...flags }) {
    const { stream_id, name } = await executeCommand(flags.data, "findChannel", flags);
    const params = { params: { stream_id, [setting]: value }, by: flags.by };
    await executeCommand(flags.data, "changeChannel", params);
    if (flags.json) console.log(JSON.stringify({ stream_id, name }));
    else console.log(`Set ${setting} of ${name} to ${value}.`);
  },
});

export const archiveChannel = command({
  description: "archives a channel; its messages can still be read",
  examples: ["skein channel archive --channel kitchen"],
  flags: { data, by, channel, json },
  async run(flags) {
    const { stream_id, name } = await executeCommand(flags.data, "findChannel", flags);
    await executeCommand(flags.data, "archiveChannel", { params: { stream_id }, by: flags.by });
    if (flags.json) console.log(JSON.stringify({ stream_id, name }));
    else console.log(`Archived ${name}.`);
  },
});

export const restoreChannel = command({
  description: "unarchives a channel",
  examples: ["skein channel unarchive --channel kitchen"],
  flags: { data, by, channel, json },
  async run(flags) {
    const { stream_id, name } = await executeCommand(flags.data, "findChannel", flags);
    const params = { stream_id, is_archived: false };
    await executeCommand(flags.data, "changeChannel", { params, by: flags.by });
    if (flags.json) console.log(JSON.stringify({ stream_id, name }));
    else console.log(`Unarchived ${name}.`);
  },
});
