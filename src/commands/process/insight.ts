// `skein health` and `skein log-level`: how a server that runs is, and how much it says.
import { DEFAULT_DATA, isLevel, LEVELS } from "../../contract/config.ts";
import { askProcess } from "../control.ts";
import { command, CommandError, UsageError } from "../flags.ts";

const data = { value: "DIR", default: DEFAULT_DATA, about: "the data directory" } as const;

export const health = command({
  about: "shows whether the running server accepts writes and its data was intact at the start",
  examples: ["skein health --data /var/lib/skein"],
  flags: { data, json: { about: "prints url, refused and damaged as JSON" } },
  async run(flags) {
    const told = await askProcess(flags.data, "health", {});
    if (flags.json) console.log(JSON.stringify(told));
    const { url, refused, damaged } = told;
    if (refused.length > 0)
      throw new CommandError(`${url} refuses to write: ${refused.join("; ")}`);
    if (damaged.length > 0) {
      const words = `${url} has damaged data: ${damaged.join("; ")}`;
      throw new CommandError(`${words}. What to do: skein doctor`);
    }
    if (!flags.json) console.log(`${url} is well.`);
  },
});

const MINUTES_MAX = 1_440;

export const logLevel = command({
  about: "changes the log level of the running server for a limited time",
  examples: ["skein log-level --level debug --minutes 5"],
  flags: {
    data,
    level: { value: "LEVEL", required: true, about: `at least: ${LEVELS.join(", ")}` },
    minutes: { value: "MINUTES", default: "10", about: "for how long; then it is as it was set" },
  },
  async run({ data: directory, level, minutes: given }) {
    if (!isLevel(level)) throw new UsageError(`--level is one of ${LEVELS.join(", ")}`);
    const minutes = Number(given);
    if (!/^\d{1,4}$/.test(given) || minutes < 1 || minutes > MINUTES_MAX) {
      throw new UsageError(`--minutes is a number from 1 to ${MINUTES_MAX}, such as 10`);
    }
    await askProcess(directory, "logLevel", { level, minutes });
    console.log(`For ${minutes} minutes the log says ${level} and what is graver.`);
  },
});
