// Finds the earlier import of the same server, whose source may have another name in this archive.
import type { Reader } from "../../../realm.ts";
import type { ImportRun } from "../../../schema/records-moving.ts";
import { listRuns, runOf } from "../import-runs.ts";
import type { Conversation, Workspace } from "../source/workspace.ts";
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
  const isCertain = sameSource !== undefined && sameSource.state !== "undone";
  if (isCertain || recognizedBy === undefined) return sameSource;
  const runs = listRuns(reader).filter((run) => run.product === product && run.state !== "undone");
  if (runs.length === 0) return sameSource;
  const found =
    recognizedBy === "messages"
      ? await runWithMessages(reader, workspace, runs)
      : runWithConversations(reader, workspace, runs);
  return found ?? sameSource;
}

/** The run with the most conversations of the archive. A few may be shared with other servers. */
function runWithConversations(
  reader: Reader,
  { conversations }: Workspace,
  runs: readonly ImportRun[],
): ImportRun | undefined {
  const counted = runs.map((run) => {
    const { import_id } = run;
    const range = { from: [import_id, CHANNELS_STEP], to: [import_id, CHANNELS_STEP + 1] };
    const channels = [...reader.imported.range(range)].length;
    const isKnown = (conversation: Conversation) => isImported(reader, import_id, conversation);
    const known = conversations.filter(isKnown).length;
    return { run, known, isSame: known * 2 >= Math.min(conversations.length, channels) };
  });
  const same = counted.filter(({ known, isSame }) => known > 0 && isSame);
  return same.sort((a, b) => b.known - a.known)[0]?.run;
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
