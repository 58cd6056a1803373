// `skein retention …`: shows and deletes messages past the retention period.
import { carryOut } from "../control.ts";
import { command } from "../flags.ts";
import { data } from "./org.ts";

export const planRetention = command({
  about: "counts the messages past their retention period, without deleting them",
  examples: ["skein retention plan", "skein retention plan --json"],
  flags: { data, json: { about: "prints messages and places as JSON" } },
  notes: `For how long messages are kept is a setting of the organization and of each channel,
message_retention_days: skein org set, skein channel set. A server deletes by itself what is
older, some thousands every ten minutes.`,
  async run(flags) {
    const planned = await carryOut(flags.data, "planRetention", {});
    if (flags.json) return console.log(JSON.stringify(planned));
    for (const { name, messages } of planned.places) {
      console.log(`${String(messages).padStart(9)}  ${name ?? "direct messages"}`);
    }
    console.log(`${planned.messages} messages are older than they may be.`);
  },
});

export const runRetention = command({
  about: "deletes the messages past their retention period now",
  examples: ["skein retention run"],
  flags: { data, json: { about: "prints deleted and left as JSON" } },
  notes: "They stay in the archive for as long as --archive-days of skein serve says.",
  async run(flags) {
    const { deleted, left } = await carryOut(flags.data, "runRetention", {});
    if (flags.json) return console.log(JSON.stringify({ deleted, left }));
    console.log(`${deleted} messages are deleted${left > 0 ? `, and ${left} are left` : ""}.`);
  },
});
