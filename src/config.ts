// What the operator may set: flags of `skein serve`, each with an environment variable SKEIN_….

export interface Config {
  /** The data directory. */
  data: string;
  host: string;
  port: number;
  /** The address people use, scheme and host without a slash at the end. */
  url: string;
  rate_limits: boolean;
  /** For how many days deleted messages are kept; 0: not at all. */
  archive_days: number;
  /** The largest file that people may upload, in MiB. */
  max_upload_mib: number;
  /** For all uploaded files together; 0: as much as the disk takes. */
  upload_quota_mib: number;
  /** Ranges of addresses that may be called although they are not of the public internet. */
  outbound_allow: readonly string[];
  /** `text` for a terminal, `json` for everything else, `off` for tests. */
  log: "text" | "json" | "off";
}

export const DEFAULT_DATA = "./skein-data";
export const DEFAULT_ARCHIVE_DAYS = 30;
export const DEFAULT_MAX_UPLOAD_MIB = 100;
export const DEFAULT_LISTEN = "127.0.0.1:9400";
