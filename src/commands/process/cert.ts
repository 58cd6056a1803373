// `skein cert`: shows the served certificate, and renews it.
import { DEFAULT_DATA } from "../../contract/config.ts";
import { requestFromProcess, type CertificateFacts } from "../control.ts";
import { command } from "../flags.ts";

const flags = {
  data: { value: "DIR", default: DEFAULT_DATA, description: "the data directory" },
  json: { description: "print names, from, until and is_trusted as JSON" },
} as const;

export const certStatus = command({
  description: "shows the certificate of the running server",
  examples: ["skein cert status --data /var/lib/skein"],
  flags,
  async run({ data, json }) {
    notify(await requestFromProcess(data, "certificate", {}), json);
  },
});

export const certRenew = command({
  description: "requests a new certificate now",
  examples: ["skein cert renew --data /var/lib/skein"],
  flags,
  notes: "Certificate authorities limit how often certificates can be requested.",
  async run({ data, json }) {
    notify(await requestFromProcess(data, "renewCertificate", {}), json);
  },
});

function notify(facts: CertificateFacts, json: boolean): void {
  if (json) return console.log(JSON.stringify(facts));
  const { names, until, is_trusted } = facts;
  console.log(`The certificate for ${names.join(", ")} is valid until ${until}.`);
  if (!is_trusted) console.log("It is self-signed, so browsers show a warning.");
}
