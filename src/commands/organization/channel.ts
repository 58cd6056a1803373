// `skein channel …`: lists, creates, changes and archives channels.
import { carryOut } from "../control.ts";
import { command } from "../flags.ts";
import { by, data } from "./org.ts";

const channel = { value: "CHANNEL", required: true, about: "its name, or its number" } as const;
const json = { about: "prints stream_id and name as JSON" } as const;

export const listChannels = command({
  about: "lists all channels, including private ones",
  examples: ["skein channel list", "skein channel list --json"],
  flags: { data, json: { about: "prints a line of JSON for each" } },
  async run(flags) {
    for (const one of await carryOut(flags.data, "listChannels", {})) {
      if (flags.json) {
        console.log(JSON.stringify(one));
        continue;
      }
      const kind = one.is_web_public ? "on the web" : one.is_private ? "private" : "public";
      const state = one.is_archived ? `${kind}, archived` : kind;
      const number = String(one.stream_id).padStart(6);
      console.log(`${number}  ${one.name}  (${state}, ${one.subscribers} subscribers)`);
    }
  },
});

export const createChannel = command({
  about: "creates a channel",
  examples: [
    "skein channel create --name kitchen",
    "skein channel create --name board --private --subscribers olga@example.com,bo@example.com",
  ],
  flags: {
    data,
    by,
    name: { value: "NAME", required: true, about: "what it is called" },
    description: { value: "TEXT", default: "", about: "what it is for" },
    private: { about: "only subscribers see it" },
    subscribers: { value: "EMAIL,…", default: "", about: "who is subscribed at once" },
    json,
  },
  notes: "A private channel has in it whoever makes it, where nobody else is named.",
  async run({ name, description, ...flags }) {
    const emails = flags.subscribers.split(",").flatMap((one) => one.trim() || []);
    const found = emails.map((email) => carryOut(flags.data, "findUser", { email }));
    const subscribers = (await Promise.all(found)).map(({ user_id }) => user_id);
    const params = { name, description, subscribers, invite_only: flags.private };
    const made = await carryOut(flags.data, "createChannel", { params, by: flags.by });
    const stream_id = Number(made["id"]);
    if (flags.json) console.log(JSON.stringify({ stream_id, name }));
    else console.log(`${name} is channel ${stream_id}`);
  },
});

export const setChannel = command({
  about: "changes a setting of a channel, by its name in the API",
  examples: [
    "skein channel set --channel kitchen --setting new_name --value pantry",
    "skein channel set --channel kitchen --setting message_retention_days --value 30",
  ],
  flags: {
    data,
    by,
    channel,
    setting: { value: "NAME", required: true, about: "new_name, description, is_private, …" },
    value: { value: "VALUE", required: true, about: "a text, or JSON where it is no text" },
    json,
  },
  async run({ setting, value, ...flags }) {
    const { stream_id, name } = await carryOut(flags.data, "findChannel", flags);
    const asked = { params: { stream_id, [setting]: value }, by: flags.by };
    await carryOut(flags.data, "changeChannel", asked);
    if (flags.json) console.log(JSON.stringify({ stream_id, name }));
    else console.log(`Of ${name} ${setting} is ${value} now.`);
  },
});

export const archiveChannel = command({
  about: "archives a channel, which is read-only then",
  examples: ["skein channel archive --channel kitchen"],
  flags: { data, by, channel, json },
  async run(flags) {
    const { stream_id, name } = await carryOut(flags.data, "findChannel", flags);
    await carryOut(flags.data, "archiveChannel", { params: { stream_id }, by: flags.by });
    if (flags.json) console.log(JSON.stringify({ stream_id, name }));
    else console.log(`${name} is in the archive.`);
  },
});

export const restoreChannel = command({
  about: "unarchives a channel",
  examples: ["skein channel unarchive --channel kitchen"],
  flags: { data, by, channel, json },
  async run(flags) {
    const { stream_id, name } = await carryOut(flags.data, "findChannel", flags);
    const params = { stream_id, is_archived: false };
    await carryOut(flags.data, "changeChannel", { params, by: flags.by });
    if (flags.json) console.log(JSON.stringify({ stream_id, name }));
    else console.log(`${name} is out of the archive.`);
  },
});
