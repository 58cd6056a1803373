// `skein reload`: a server that runs takes its settings anew.
import { DEFAULT_DATA } from "../../contract/config.ts";
import { askProcess } from "../control.ts";
import { command } from "../flags.ts";

export const reload = command({
  about: "makes the server that runs take its settings anew, as far as it can without a restart",
  examples: ["skein reload --data /var/lib/skein"],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, about: "the data directory" },
    json: { about: "prints applied and needs_restart as JSON" },
  },
  notes: `SIGHUP does the same. Flags stay as they were given; files are read again.
Settings that make no sense change nothing.`,
  async run({ data, json }) {
    const told = await askProcess(data, "reload", {});
    if (json) return console.log(JSON.stringify(told));
    const { applied, needs_restart } = told;
    if (applied.length > 0) console.log(`Changed: ${applied.join(", ")}`);
    else console.log("Nothing is changed.");
    if (needs_restart.length > 0) {
      console.log(`After a restart these change too: ${needs_restart.join(", ")}`);
    }
  },
});
