// `skein version`: which version this is.
import packaged from "../../package.json";
import { FEATURE_LEVEL } from "../names.ts";
import { command } from "./flags.ts";

/** A build puts these in; a checkout has neither. */
declare const SKEIN_VERSION: string;
declare const SKEIN_COMMIT: string;

export const VERSION = typeof SKEIN_VERSION === "string" ? SKEIN_VERSION : packaged.version;
export const COMMIT = typeof SKEIN_COMMIT === "string" ? SKEIN_COMMIT : "";

export const version = command({
  about: "says which version this is",
  flags: { json: { about: "for other programs" } },
  async run({ json }) {
    const facts = { version: VERSION, commit: COMMIT, feature_level: FEATURE_LEVEL };
    const from = COMMIT === "" ? "" : ` (${COMMIT})`;
    console.log(json ? JSON.stringify(facts) : `Skein ${VERSION}${from}`);
  },
});
