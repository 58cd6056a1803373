// Device data of an earlier version of the client, as the recorder writes it.
import type { Json } from "../../test-server.ts";

export interface RecordedDevice {
  /** Time of the recording, in milliseconds since 1970. The times in rows are from that day. */
  readonly recorded_at: number;
  readonly user_id: number;
  readonly stream_id: number;
  readonly message_ids: Readonly<Record<string, number>>;
  readonly database: {
    readonly name: string;
    readonly version: number;
    readonly stores: readonly { readonly name: string; readonly keyPath: string }[];
  };
  readonly rows: Readonly<Record<"drafts" | "outbox" | "doings" | "files", readonly Json[]>>;
  /** Messages between tabs, one of each kind, by channel. Session names are replaced by SESSION. */
  readonly messages: Readonly<Record<string, readonly Json[]>>;
  /** Names of the locks that a tab holds. */
  readonly locks: readonly string[];
  /** Keys of localStorage. */
  readonly storage: readonly string[];
}

export const SESSION = "SESSION";
export const DATA_FILE = `${import.meta.dir}/d865b1fe.json`;
