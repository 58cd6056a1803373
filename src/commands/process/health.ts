// `skein health` and `skein log-level`: inspects a running server and changes its log level.
import { DEFAULT_DATA, isLevel, LEVELS } from "../../contract/config.ts";
import { requestFromProcess } from "../control.ts";
import { command, CommandError, UsageError } from "../flags.ts";

const data = { value: "DIR", default: DEFAULT_DATA, description: "the data directory" } as const;

export const health = command({
  description:
    "checks whether the running server accepts writes and whether its data was intact at startup",
  examples: ["skein health --data /var/lib/skein"],
  flags: { data, json: { description: "print url, refused and damaged as JSON" } },
  async run(flags) {
    const payload = await requestFromProcess(flags.data, "health", {});
    if (flags.json) console.log(JSON.stringify(payload));
    const { url, refused, damaged } = payload;
    if (refused.length > 0)
      throw new CommandError(`${url} does not accept writes: ${refused.join("; ")}`);
    if (damaged.length > 0) {
      const text = `${url} has damaged data: ${damaged.join("; ")}`;
      throw new CommandError(`${text}. For a remedy, run: skein doctor`);
    }
    if (!flags.json) console.log(`${url} is healthy.`);
  },
});

const MINUTES_MAX = 1_440;

export const logLevel = command({
  description: "changes the log level of the running server for a limited time",
  examples: ["skein log-level --level debug --minutes 5"],
  flags: {
    data,
    level: { value: "LEVEL", required: true, description: `minimum level: ${LEVELS.join(", ")}` },
    minutes: {
      value: "MINUTES",
      default: "10",
      description: "duration, after which the configured level applies again",
    },
  },
  async run({ data: directory, level, minutes: value }) {
    if (!isLevel(level)) throw new UsageError(`--level must be one of ${LEVELS.join(", ")}`);
    const minutes = Number(value);
    if (!/^\d{1,4}$/.test(value) || minutes < 1 || minutes > MINUTES_MAX) {
      throw new UsageError(`--minutes must be a number from 1 to ${MINUTES_MAX}, such as 10`);
    }
    await requestFromProcess(directory, "logLevel", { level, minutes });
    console.log(`The log level is ${level} for ${minutes} minutes.`);
  },
});
