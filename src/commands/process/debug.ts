// `skein debug …`: writes profiles of a running server to files.
import { DEFAULT_DATA } from "../../contract/config.ts";
import { requestFromProcess } from "../control.ts";
import { command, UsageError } from "../flags.ts";

const data = { value: "DIR", default: DEFAULT_DATA, description: "the data directory" } as const;
const json = { description: "print file as JSON" } as const;
const SECONDS_MAX = 300;
const NOTES =
  "The file is written to debug/ in the data directory. Only the server's account can read it.";

export const profile = command({
  description: "records a CPU profile of the running server",
  examples: ["skein debug profile --data /var/lib/skein --seconds 10"],
  flags: {
    data,
    seconds: { value: "SECONDS", default: "10", description: "duration of the profile" },
    json,
  },
  notes: `${NOTES}\nOpen it with the developer tools of a browser.`,
  async run({ data: directory, seconds: value, json: asJson }) {
    const seconds = Number(value);
    if (!/^\d{1,3}$/.test(value) || seconds < 1 || seconds > SECONDS_MAX) {
      throw new UsageError(`--seconds must be a number from 1 to ${SECONDS_MAX}, such as 10`);
    }
    notify(await requestFromProcess(directory, "profile", { seconds }), asJson);
  },
});

export const heap = command({
  description: "writes a heap snapshot of the running server, which is paused meanwhile",
  examples: ["skein debug heap --data /var/lib/skein"],
  flags: { data, json },
  notes: `${NOTES}\nIt can contain messages: delete it when you no longer need it.`,
  async run({ data: directory, json: asJson }) {
    notify(await requestFromProcess(directory, "heap", {}), asJson);
  },
});

function notify({ file }: { file: string }, asJson: boolean): void {
  console.log(asJson ? JSON.stringify({ file }) : file);
}
