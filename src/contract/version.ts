// Which version of Skein this is.
import packaged from "../../package.json";

/** A build puts these in; a checkout has neither. */
declare const SKEIN_VERSION: string;
declare const SKEIN_COMMIT: string;

export const VERSION = typeof SKEIN_VERSION === "string" ? SKEIN_VERSION : packaged.version;
export const COMMIT = typeof SKEIN_COMMIT === "string" ? SKEIN_COMMIT : "";
