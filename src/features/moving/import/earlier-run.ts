// Finds the earlier import of the same server, whose source may have another name in this archive.
import type { Reader } from "../../../realm.ts";
import type { ImportRun } from "../../../schema/records-moving.ts";
import { listRuns, runOf } from "../import-runs.ts";
import type { Conversation, Workspace } from "../source/workspace.ts";
import { MovingRefused } from "../errors.ts";
import { CHANNELS_STEP, isChannel } from "./channels.ts";
import { keyOf } from "./convert-message.ts";
import { MESSAGES_STEP } from "./steps.ts";

/** The first character after the one that separates a conversation from its messages in keys. */
const AFTER_SEPARATOR = "0";

/**
 * Sources that are derived from users or teams change when these do, and earlier versions derived
 * them in other ways. So the run also counts as the same one if it has the archive's conversations.
 */
export async function earlierRun(
  reader: Reader,
  workspace: Workspace,
): Promise<ImportRun | undefined> {
  const { product, source, recognizedBy } = workspace;
  const sameSource = runOf(reader, product, source);
  const runs = listRuns(reader).filter((run) => run.product === product && run.state !== "undone");
  const certain = runs.find(({ import_id }) => import_id === sameSource?.import_id);
  if (recognizedBy === undefined || runs.length === 0) return sameSource;
  if (recognizedBy === "conversations") {
    return runWithConversations(reader, workspace, runs, certain) ?? sameSource;
  }
  return certain ?? (await runWithMessages(reader, workspace, runs)) ?? sameSource;
}

/**
 * The run with the most conversations of the archive, unless one is certain. A few may be shared
 * with other servers.
 */
function runWithConversations(
  reader: Reader,
  { conversations }: Workspace,
  runs: readonly ImportRun[],
  certain: ImportRun | undefined,
): ImportRun | undefined {
  const counted = runs.map((run) => {
    const { import_id } = run;
    const range = { from: [import_id, CHANNELS_STEP], to: [import_id, CHANNELS_STEP + 1] };
    const channels = [...reader.imported.range(range)].length;
    const known = new Set(conversations.filter((place) => isImported(reader, import_id, place)));
    return { run, known, isSame: known.size * 2 >= Math.min(conversations.length, channels) };
  });
  const same = counted.filter(({ known, isSame }) => known.size > 0 && isSame);
  const [largest] = same.toSorted((a, b) => b.known.size - a.known.size);
  const found = certain ? counted.find(({ run }) => run === certain) : largest;
  const other = same.find(({ known }) => [...known].some((place) => !found?.known.has(place)));
  if (other && found) {
    const ids = [found, other].map(({ run }) => run.import_id);
    const [first, second] = [Math.min(...ids), Math.max(...ids)];
    throw new MovingRefused(
      `The archive has conversations of the imports ${first} and ${second}: ` +
        "put those of each into an archive of its own",
    );
  }
  return found?.run;
}

function isImported(reader: Reader, import_id: number, conversation: Conversation): boolean {
  const { id } = conversation;
  if (isChannel(conversation)) return reader.imported.has(import_id, CHANNELS_STEP, id);
  const step = [import_id, MESSAGES_STEP];
  const range = { from: [...step, `${id}/`], to: [...step, id + AFTER_SEPARATOR], limit: 1 };
  return [...reader.imported.range(range)].length > 0;
}

/** For products whose channels have names only, which other servers may use, too. */
async function runWithMessages(
  reader: Reader,
  workspace: Workspace,
  runs: readonly ImportRun[],
): Promise<ImportRun | undefined> {
  for await (const message of workspace.messages()) {
    const key = keyOf(message);
    const run = runs.find(({ import_id }) => reader.imported.has(import_id, MESSAGES_STEP, key));
    if (run) return run;
  }
  return undefined;
}
