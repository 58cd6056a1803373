// The data that the checks of an organization use.
import type { Realm } from "../../realm.ts";
import type { DirectoryFacts } from "./directory.ts";

export interface Facts extends DirectoryFacts {
  readonly realm: Realm;
  /** Whether the server is running; otherwise no request can reach it. */
  readonly is_serving: boolean;
  /** Skips checks that take a minute: reading all data, and the held poll. */
  readonly is_quick: boolean;
  /** Also reads all files and compares the search index with the messages. */
  readonly is_deep: boolean;
  /** For how long the test poll is held. */
  readonly hold_seconds: number;
}
