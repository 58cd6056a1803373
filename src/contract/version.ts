// Which version of Skein this is.
import packaged from "../../package.json";

/** A build puts these in; a checkout has none. */
declare const SKEIN_VERSION: string;
declare const SKEIN_COMMIT: string;
declare const SKEIN_TARGET: string;
/** Those of minisign, with commas between them; "" where nobody gave one to the build. */
declare const SKEIN_UPDATE_KEYS: string;

export const VERSION = typeof SKEIN_VERSION === "string" ? SKEIN_VERSION : packaged.version;
export const COMMIT = typeof SKEIN_COMMIT === "string" ? SKEIN_COMMIT : "";
export const TARGET =
  typeof SKEIN_TARGET === "string" ? SKEIN_TARGET : `${process.platform}-${process.arch}`;
/** With one of these an update is signed. */
export const UPDATE_KEYS: readonly string[] =
  typeof SKEIN_UPDATE_KEYS === "string" && SKEIN_UPDATE_KEYS !== ""
    ? SKEIN_UPDATE_KEYS.split(",")
    : [];
