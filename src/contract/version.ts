// The version of Skein.
import packaged from "../../package.json";

/** Defined by the build; undefined in a checkout. */
declare const SKEIN_VERSION: string;
declare const SKEIN_COMMIT: string;
declare const SKEIN_TARGET: string;
/** minisign public keys, separated by commas; "" if the build has none. */
declare const SKEIN_UPDATE_KEYS: string;

export const VERSION = typeof SKEIN_VERSION === "string" ? SKEIN_VERSION : packaged.version;
export const COMMIT = typeof SKEIN_COMMIT === "string" ? SKEIN_COMMIT : "";
export const TARGET =
  typeof SKEIN_TARGET === "string" ? SKEIN_TARGET : `${process.platform}-${process.arch}`;
/** Public keys, one of which must have signed an update. */
export const UPDATE_KEYS: readonly string[] =
  typeof SKEIN_UPDATE_KEYS === "string" && SKEIN_UPDATE_KEYS !== ""
    ? SKEIN_UPDATE_KEYS.split(",")
    : [];
