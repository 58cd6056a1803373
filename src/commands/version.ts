// `skein version`: prints the version.
import { FEATURE_LEVEL } from "../contract/names.ts";
import { COMMIT, TARGET, UPDATE_KEYS, VERSION } from "../contract/version.ts";
import { command } from "./flags.ts";

export const version = command({
  description: "prints the version",
  examples: ["skein version", "skein version --json"],
  flags: { json: { description: "print the version, commit and build as JSON" } },
  async run({ json }) {
    const facts = {
      version: VERSION,
      commit: COMMIT,
      feature_level: FEATURE_LEVEL,
      target: TARGET,
      update_keys: UPDATE_KEYS,
    };
    const from = COMMIT === "" ? "" : ` (${COMMIT})`;
    console.log(json ? JSON.stringify(facts) : `Skein ${VERSION}${from}`);
  },
});
