// Keeps unsent content of a signed-out account encrypted, until the account signs in again.
import type { openUnsentKey } from "../../../features/sessions/unsent-key.ts";
import { type ApiClient, call } from "../../api/call.ts";
import { ApiError } from "../../contract/api-error.ts";
import { openExisting } from "../ending/open-existing.ts";
import type { PersonalRows, StoredDraftRow } from "../personal-database.ts";
import type { PendingChange, PendingMessage } from "../mutations/types.ts";
import { accountKey } from "./key.ts";
import { canSeal, seal, unseal } from "./seal.ts";
import { isAnythingSealed, storeSealed, takeStoredSealed } from "./sealed.ts";

/** Unsent data, except files whose upload has not finished. */
interface UnsentRows {
  drafts: StoredDraftRow[];
  outbox: PendingMessage[];
  doings: PendingChange[];
}

/** Limit of texts, in characters. Beyond it, the oldest are deleted. */
const UNSENT_LENGTH_MAX = 4_000_000;

const openKey = call<typeof openUnsentKey>("POST", "/account/unsent/", "send", true);

/** Drafts that are unchanged on the server are loaded from there. */
export const isUnsent = ({ text, synced }: StoredDraftRow): boolean =>
  text.trim() !== "" && text !== synced;

/** Waiting messages and other actions that the server has not received. */
export const isWaiting = ({ state }: Pick<PendingMessage, "state">): boolean => state !== "sent";

export async function sealUnsent(user_id: number): Promise<void> {
  const key = accountKey(user_id);
  if (key === undefined || !canSeal()) return;
  const rows = limitSize(await rowsOf(user_id));
  if (Object.values(rows).every((all: unknown[]) => all.length === 0)) return;
  const sealed = await seal(JSON.stringify(rows), key);
  await storeSealed({ ...sealed, user_id, made: Date.now() });
}

/**
 * `client` sends requests as this account; content that cannot be decrypted any more is deleted.
 */
export async function restoreUnsent(
  client: ApiClient,
  user_id: number,
  retained: PersonalRows,
): Promise<void> {
  if (!isAnythingSealed() || !canSeal()) return;
  await takeStoredSealed(user_id, Date.now(), async (row) => {
    const text = await decryptRows(client, row);
    if (text === undefined) return;
    const rows: UnsentRows = JSON.parse(text);
    await restoreRows(rows, retained);
  });
}

async function decryptRows(
  client: ApiClient,
  row: Parameters<typeof unseal>[0] & { public_key: string },
) {
  try {
    const { key } = await openKey(client, { public_key: row.public_key });
    return await unseal(row, key);
  } catch (error) {
    // The server has a new secret, or the row is damaged.
    const isFinal = error instanceof DOMException || (error instanceof ApiError && isBad(error));
    if (isFinal) return undefined;
    throw error;
  }
}

const isBad = ({ code }: ApiError) => code === "BAD_REQUEST";

async function restoreRows(
  { drafts, outbox, doings }: UnsentRows,
  retained: PersonalRows,
): Promise<void> {
  for (const draft of drafts) {
    // A newer draft of the same conversation is kept.
    const isUsed = await retained.drafts.has(draft.place);
    const key = isUsed ? `${draft.place} ${draft.changed}` : draft.place;
    await retained.drafts.put({ ...draft, place: key });
  }
  for (const row of outbox)
    if (!(await retained.outbox.has(row.local_id))) await retained.outbox.put(row);
  for (const row of doings)
    if (!(await retained.doings.has(row.key))) await retained.doings.put(row);
}

/** Read from disk, because the tab that wrote them may be closed. */
async function rowsOf(user_id: number): Promise<UnsentRows> {
  const db = await openExisting(`skein-kept-${user_id}`);
  try {
    const all = async (store: string) =>
      db?.objectStoreNames.contains(store) ? db.getAll(store) : [];
    const drafts: StoredDraftRow[] = await all("drafts");
    const outbox: PendingMessage[] = await all("outbox");
    const doings: PendingChange[] = await all("doings");
    return { drafts: drafts.filter(isUnsent), outbox: outbox.filter(isWaiting), doings };
  } finally {
    db?.close();
  }
}

function limitSize(rows: UnsentRows): UnsentRows {
  let length = 0;
  const fitsLimit = (row: object) => (length += JSON.stringify(row).length) <= UNSENT_LENGTH_MAX;
  const newest = <T extends { made: number }>(all: T[]) =>
    all
      .toSorted((a, b) => b.made - a.made)
      .filter(fitsLimit)
      .reverse();
  const outbox = newest(rows.outbox);
  const drafts = rows.drafts.toSorted((a, b) => b.changed - a.changed).filter(fitsLimit);
  return { outbox, drafts, doings: newest(rows.doings) };
}
