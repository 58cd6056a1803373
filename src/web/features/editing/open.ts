// Edits a message in its row; an edit in progress survives the page.
import { effect } from "@preact/signals";
import { h, render } from "preact";
import { fetchMessage } from "../../api/calls.ts";
import { element } from "../../content/node.ts";
import { personal, sync } from "../../sync/session.ts";
import { invalidate } from "../../store/store.ts";
import { personalStore, showRefusal, openPersonalStore } from "../../sync/optimistic.ts";
import { loadRenderer } from "../../render/loading.ts";
import type { PersonalRows } from "../../sync/personal-database.ts";
import { copyText } from "../../ui/copy.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { openTexts } from "../uploads/texts-state.ts";
import { current, editors } from "../conversation/current-state.ts";
import type { Message } from "../../contract/message.ts";
import { MessageEdit } from "./edit.ts";
import { editKey, isEdit, type StoredEdit } from "../drafts/edits-sync.ts";
import { sha256 } from "./sha256.ts";

const edits = new Map<number, MessageEdit>();
/** If there is no network, the request fails early, not much later. */
const FETCH_MS = 8000;

/** Fetches the Markdown, and puts an editor with it in the message's row. */
export async function editInPlace({ id }: Pick<Message, "id">): Promise<void> {
  const existing = edits.get(id);
  if (existing) return void existing.editor?.node.focus();
  try {
    // The user may press the key before the stores are loaded.
    const { rows } = personal.peek() ?? (await personalStore());
    await open(await newEdit(id), rows.drafts, true);
  } catch (error) {
    showRefusal(error);
  }
}

/** Continues an unsent edit. Of rejected ones, the newest is shown first. */
async function newEdit(message_id: number): Promise<StoredEdit> {
  const shared = { place: editKey(message_id), message_id, changed: 0 };
  const unsent = openPersonalStore().mutations.changeOf(message_id, true);
  const text = unsent?.change?.content;
  if (unsent?.state === "waiting" && text !== undefined) {
    const hash = unsent.params["prev_content_sha256"];
    return { ...shared, text, before: text, sha256: hash === undefined ? hash : String(hash) };
  }
  // The request is not retried, so that the user learns that it failed.
  const more = { isRetried: false, signal: AbortSignal.timeout(FETCH_MS) };
  const { raw_content } = await fetchMessage(sync, { message_id }, more);
  const hash = await sha256(raw_content);
  return { ...shared, text: text ?? raw_content, before: raw_content, sha256: hash };
}

async function open(
  stored: StoredEdit,
  rows: PersonalRows["drafts"],
  hasFocus: boolean,
): Promise<void> {
  const { message_id: id } = stored;
  loadRenderer();
  const { EditForm } = await import("./form.tsx");
  if (edits.has(id)) return;
  const host = element("div", "edit-host");
  const edit = new MessageEdit(stored, rows, () => close(id));
  edits.set(id, edit);
  openTexts.add(replaceUploadInEdits);
  editors.set(id, host);
  render(h(EditForm, { edit, hasFocus, onCancel: () => cancel(edit) }), host);
  invalidate([`message:${id}`]);
}

/** The row shows its previous content again, and regains the focus if it had it. */
function close(id: number): void {
  const host = editors.get(id);
  if (!host) return;
  const hadFocus = host.contains(document.activeElement);
  edits.delete(id);
  editors.delete(id);
  invalidate([`message:${id}`]);
  render(null, host);
  const feed = current.peek()?.shownFeed();
  const row = feed?.rowOf(id);
  if (row && hadFocus) feed?.roving.focus(row);
}

/** Undo restores the typed text. */
function cancel(edit: MessageEdit): void {
  const { message_id } = edit;
  const stored = edit.isChanged ? edit.toStored() : undefined;
  edit.end();
  const unsent = personal.peek()?.mutations.changeOf(message_id, true)?.change?.content;
  if (!stored || stored.text === unsent) return;
  const undo = () => {
    const rows = personal.peek()?.rows.drafts;
    if (rows && !edits.has(message_id)) void open(stored, rows, true);
  };
  showToast({ text: t("edit-discarded"), undo });
}

function replaceUploadInEdits(placeholder: string, text: string): string | undefined {
  for (const edit of edits.values()) {
    const owner = edit.replaceUpload(placeholder, text);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/** Reopens edits that were started before the page was loaded. */
async function reopen({ drafts }: PersonalRows): Promise<void> {
  for (const row of await drafts.all()) if (isEdit(row)) await open(row, drafts, false);
}

effect(() => {
  const store = personal.value;
  if (store) void reopen(store.rows);
});

for (const kind of ["pagehide", "freeze"]) {
  addEventListener(kind, () => {
    for (const edit of edits.values()) if (edit.isChanged) void edit.store();
  });
}

sync.listen((events) => {
  for (const event of events) {
    if (event.type === "update_message" && event.content !== undefined) {
      void edits.get(event.message_id)?.followed(event.content);
    }
    if (event.type !== "delete_message") continue;
    for (const id of event.message_ids ?? [event.message_id]) endEdit(edits.get(id));
  }
});

/** If the message is deleted, the typed text is kept. */
function endEdit(edit: MessageEdit | undefined): void {
  const stored = edit?.isChanged ? edit.toStored() : undefined;
  edit?.end();
  if (!stored) return;
  const undo = () => copyText(stored.text, t("text-copied"));
  showToast({ text: t("edit-of-deleted"), undoLabel: t("copy-text"), undo, isAlert: true });
}
