// The data that the checks of an organization use.
import type { Realm } from "../../realm.ts";
import type { DirectoryFacts } from "./directory.ts";

export interface Facts extends DirectoryFacts {
  readonly realm: Realm;
  /** Whether a server runs: else there is nobody who could be reached. */
  readonly is_serving: boolean;
  /** Leaves out what takes a minute: the walk over all data, and the poll that is held. */
  readonly is_quick: boolean;
  /** Reads all files and compares the search index with the messages, besides all else. */
  readonly is_deep: boolean;
  /** For how long the poll is held. */
  readonly hold_seconds: number;
}
