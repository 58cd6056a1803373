// `skein reload`: makes a running server read its settings again.
import { DEFAULT_DATA } from "../../contract/config.ts";
import { requestFromProcess } from "../control.ts";
import { command, CommandError } from "../flags.ts";

export const reload = command({
  description: "reloads the settings of the running server that need no restart",
  examples: ["skein reload --data /var/lib/skein"],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, description: "the data directory" },
    json: { description: "print applied, needs_restart and certificate as JSON" },
  },
  notes: `SIGHUP does the same. Flags keep their values; files are read again.
If the settings are invalid, nothing changes.`,
  async run({ data, json }) {
    const reloaded = await requestFromProcess(data, "reload", {});
    const { applied, needs_restart, certificate } = reloaded;
    if (json) {
      console.log(JSON.stringify(reloaded));
      return certificate?.state === "refused" ? 1 : 0;
    }
    if (applied.length > 0) console.log(`Changed: ${applied.join(", ")}`);
    else if (certificate?.state !== "taken") console.log("No setting has changed.");
    if (certificate?.state === "taken") {
      console.log(`A new certificate is in use, valid until ${certificate.until}.`);
    }
    if (needs_restart.length > 0) {
      console.log(`These settings need a restart: ${needs_restart.join(", ")}`);
    }
    if (certificate?.state !== "refused") return 0;
    throw new CommandError(`the certificate was not changed: ${certificate.words}`);
  },
});
