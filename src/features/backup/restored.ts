// Data that replaces newer data: clients may know more than it does, so they register again.
import { tables } from "../../schema/schema.ts";
import { supersede } from "../../store/copy/supersede.ts";

/** More than anybody was given between a backup and the loss. */
const MESSAGES_SKIPPED = 100_000;
const IDS_SKIPPED = 1_000;

/**
 * Ends every event queue of the data in a closed file, and skips ids, so that none that was given
 * since is given again. `given`: the newest ids of the data that is replaced, where it can be read.
 */
export async function makeRestored(
  path: string,
  given: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  const skipped = (sequence: string) => {
    return sequence === "messages" || sequence === "events" ? MESSAGES_SKIPPED : IDS_SKIPPED;
  };
  await supersede(path, { queues: tables.queues.prefix, given, skipped });
}
