// Downloads a file that an archive links to, and inserts it into its message.
import { GuardedClient, OutboundForbidden } from "../../../outbound/client.ts";
import { perRealm, type Realm, type Writer } from "../../../realm.ts";
import { JobFailed, type Retries } from "../../../runner/runner.ts";
import type { DueJob } from "../../../schema/records.ts";
import type { NewFile } from "../../files/actions.ts";
import { blobsOf } from "../../files/blobs.ts";
import { claimFiles } from "../../files/claim.ts";
import { keepBytes } from "../../files/save.ts";
import { draftOf, newPathId } from "../../files/blob-names.ts";
import { MIB } from "../../files/rules.ts";
import { renderedBy } from "../../messages/content/compose.ts";
import { withContent } from "../../messages/edit/content.ts";
import { messageRerendered } from "../../messages/edit/events.ts";
import { audienceOf } from "../../messages/sets/audience.ts";
import { reindexMessage } from "../../search/index.ts";
import { checksumOf, putRow, type Row } from "../write-row.ts";
import { FILES_STEP, linkTo, MESSAGES_STEP } from "./steps.ts";
import type { FileToFetch } from "./linked-files.ts";

export const FILES_AT_ONCE = 4;
export const FETCH_RETRIES: Retries = { attempts_max: 8, first_ms: 10_000, last_ms: 3_600_000 };
const FETCH_MS = 600_000;
const HTML = /^\s*<(!doctype html|html)/i;
const HEAD_BYTES = 256;

const clientOf = perRealm(({ config }) => {
  return new GuardedClient(config.outbound_allow, undefined, FETCH_MS);
});

/** Idempotent: messages that no longer have the placeholder stay unchanged. */
export async function fetchFile(realm: Realm, { payload }: DueJob): Promise<void> {
  const file = payload as FileToFetch;
  if (!isAwaited(realm, file)) return;
  const path_id = newPathId(file.name);
  const draft = draftOf(path_id);
  try {
    await download(realm, file, draft);
    await checkBytes(realm, file, draft);
  } catch (error) {
    await blobsOf(realm).drop(draft);
    if (error instanceof OutboundForbidden) throw new JobFailed(error.message);
    throw error;
  }
  const { name, content_type } = file;
  const storedFile = await keepBytes(realm, { path_id, name, content_type });
  await realm.write((tx) => putInto(tx, file, storedFile));
}

function isAwaited(
  { read }: Pick<Realm, "read">,
  { message_id, placeholder }: FileToFetch,
): boolean {
  return read.messages.get(message_id)?.content.includes(placeholder) === true;
}

function download(realm: Realm, { url }: FileToFetch, draft: string): Promise<void> {
  const bytes_max = realm.config.max_upload_mib * MIB;
  // The link contains a token, so it must not be logged.
  const request = { url, types: null, bytes_max, is_secret: true };
  return clientOf(realm).download(request, (bytes) => blobsOf(realm).append(draft, bytes));
}

/** If the token has expired, Slack responds with its sign-in page. */
async function checkBytes(realm: Realm, file: FileToFetch, draft: string): Promise<void> {
  const bytes = (await blobsOf(realm).draft(draft))!;
  const head = await bytes.slice(0, HEAD_BYTES).text();
  if (!file.content_type.includes("html") && HTML.test(head)) {
    throw new JobFailed(`${file.name}: Slack asks to sign in: the token in the export has expired`);
  }
  if (file.size !== null && bytes.size !== file.size) {
    throw new JobFailed(`${file.name} has ${bytes.size} bytes instead of ${file.size}`);
  }
}

function putInto(tx: Writer, file: FileToFetch, storedFile: NewFile): void {
  const { import_id, message_id, message_key, file_key, placeholder } = file;
  const before = tx.messages.get(message_id);
  if (!before?.content.includes(placeholder)) return;
  const author = tx.users.get(before.sender_id)!;
  const id = tx.next("attachments");
  const { timestamp } = before;
  const row: Row = {
    ...{ id, user_id: author.user_id, ...storedFile },
    ...{ create_time: timestamp, unused_since: tx.now },
  };
  const checksum = putRow(tx, "attachments", row);
  const step = FILES_STEP;
  tx.imported.put({
    import_id,
    step,
    source_key: file_key,
    table: "attachments",
    row_key: [id],
    checksum,
  });
  const content = before.content.replace(placeholder, () =>
    linkTo(storedFile.name, storedFile.path_id),
  );
  const rendered = renderedBy(tx, author, content);
  if (!rendered) return;
  const mark = tx.imported.get(import_id, MESSAGES_STEP, message_key);
  const isOwn = mark?.checksum === checksumOf("messages", before as unknown as Row);
  const after = withContent(tx, author, before, content, rendered);
  const audience = audienceOf(tx, before);
  claimFiles(tx, author, message_id, rendered.upload_path_ids);
  tx.messages.put(after);
  reindexMessage(tx, before, after);
  tx.emit(messageRerendered(tx, after), audience);
  // An undo deletes the file unless another user changed it.
  if (mark && isOwn) {
    tx.imported.put({ ...mark, checksum: checksumOf("messages", after as unknown as Row) });
  }
}
