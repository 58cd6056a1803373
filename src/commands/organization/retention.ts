// `skein retention …`: shows and deletes messages past the retention period.
import { executeCommand } from "../control.ts";
import { command } from "../flags.ts";
import { data } from "./org.ts";

export const planRetention = command({
  description: "counts the messages past their retention period, without deleting them",
  examples: ["skein retention plan", "skein retention plan --json"],
  flags: {
    data,
    json: { description: "print the number of messages, in total and by channel, as JSON" },
  },
  notes: `The retention period is a setting of the organization and of each channel,
message_retention_days: skein org set, skein channel set. A running server deletes older
messages itself, some thousands every ten minutes.`,
  async run(flags) {
    const planned = await executeCommand(flags.data, "planRetention", {});
    if (flags.json) return console.log(JSON.stringify(planned));
    for (const { name, messages } of planned.places) {
      console.log(`${String(messages).padStart(9)}  ${name ?? "direct messages"}`);
    }
    console.log(`${planned.messages} messages are past their retention period.`);
  },
});

export const runRetention = command({
  description: "deletes the messages past their retention period now",
  examples: ["skein retention run"],
  flags: { data, json: { description: "print deleted and left as JSON" } },
  notes: "Deleted messages are kept in the archive for the days of --archive-days of skein serve.",
  async run(flags) {
    const { deleted, left } = await executeCommand(flags.data, "runRetention", {});
    if (flags.json) return console.log(JSON.stringify({ deleted, left }));
    console.log(`Deleted ${deleted} messages${left > 0 ? `; ${left} are left` : ""}.`);
  },
});
