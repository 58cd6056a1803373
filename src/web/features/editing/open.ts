// Edits a message in its row; an edit in progress survives the page.
import { effect } from "@preact/signals";
import { h, render } from "preact";
import { fetchMessageNow } from "../messages/fetch-sync.ts";
import { element } from "../../content/node.ts";
import { keyOfConversation } from "../../conversation-keys.ts";
import { personal, sync } from "../../sync/session.ts";
import { conversationOfMessage } from "../../feed/items.ts";
import { go } from "../../store/address.ts";
import { getState, invalidate } from "../../store/store.ts";
import { personalStore, showRefusal, openPersonalStore } from "../../sync/optimistic.ts";
import { loadRenderer } from "../../render/loading.ts";
import type { PersonalRows } from "../../sync/personal-database.ts";
import { showToast } from "../../ui/toast.tsx";
import { type ConversationRef, conversationOf, topicView } from "../../views.ts";
import { t } from "../../words/words.ts";
import { openTexts } from "../uploads/texts-state.ts";
import { current, editors } from "../conversation/current-state.ts";
import type { Message } from "../../contract/message.ts";
import type { Event } from "../../contract/snapshot.ts";
import { stores } from "../compose/stores-sync.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { MessageEdit } from "./edit.ts";
import { editKey, isEdit, type StoredEdit } from "../drafts/edits-sync.ts";
import { sha256 } from "./sha256.ts";

const edits = new Map<number, MessageEdit>();

/** Fetches the Markdown, and puts an editor with it in the message's row. */
export async function editInPlace({ id }: Pick<Message, "id">): Promise<void> {
  const existing = edits.get(id);
  if (existing) return void existing.editor?.node.focus();
  try {
    // The user may start an edit before the stores are loaded.
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
  const { raw_content } = await fetchMessageNow(sync, { message_id });
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
  edit.conversation = conversationOfId(id);
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
    if (event.type === "update_message") onUpdate(event);
    if (event.type !== "delete_message") continue;
    for (const id of event.message_ids ?? [event.message_id]) {
      const edit = edits.get(id);
      if (edit) void endEdit(edit, edit.conversation ?? topicOfDeleted(event));
    }
  }
});

function onUpdate(event: Event<"update_message">): void {
  const { message_id, message_ids, content, subject, new_stream_id, propagate_mode } = event;
  if (content !== undefined) void edits.get(message_id)?.followed(content);
  if (subject === undefined && new_stream_id === undefined) return;
  for (const edit of message_ids.flatMap((id) => edits.get(id) ?? [])) {
    const wasHere = isShown(edit.conversation);
    edit.conversation = conversationOfId(edit.message_id);
    if (wasHere && propagate_mode !== "change_all") showMoved(edit);
  }
}

/** Whether the conversation, or a view of several conversations, is open. */
const isShown = (conversation: ConversationRef | undefined) => {
  const terms = current.peek()?.terms;
  const open = terms && conversationOf(terms, getState().people.me);
  return terms !== undefined && (!open || !conversation || isSame(open, conversation));
};

const isSame = (a: ConversationRef, b: ConversationRef) =>
  keyOfConversation(a) === keyOfConversation(b);

/** Tells where the edited message is, if it has left the view. */
function showMoved({ message_id, conversation: to }: MessageEdit): void {
  if (!to || !("topic" in to) || current.peek()?.shownFeed()?.rowOf(message_id)) return;
  const undo = () => go(topicView(to.stream_id, to.topic, { operator: "near", id: message_id }));
  const { channel, title } = barOf(to);
  const text = t("edit-of-moved", { name: channel ? `${channel.name} › ${title}` : title });
  showToast({ text, undoLabel: t("show"), undo, isAlert: true });
}

function conversationOfId(message_id: number): ConversationRef | undefined {
  const { messages, people } = getState();
  const message = messages.byId.get(message_id);
  return message && conversationOfMessage(message, people.me);
}

function topicOfDeleted(event: Event<"delete_message">): ConversationRef | undefined {
  return event.message_type === "stream"
    ? { stream_id: event.stream_id, topic: event.topic }
    : undefined;
}

/** If the message is deleted, the typed text becomes a draft. */
async function endEdit(edit: MessageEdit, to: ConversationRef | undefined): Promise<void> {
  const open = stores.peek();
  const text = open && (await edit.take());
  if (!open || text === undefined) return;
  const place = to ? keyOfConversation(to) : "new";
  const lost = { place, to, text, changed: Date.now(), draft_id: undefined, synced: undefined };
  open.drafts.keepBeside(lost);
  await open.drafts.flush();
  open.drafts.share();
  invalidate(["drafts", "own drafts"]);
  const undo = () => go({ kind: "drafts" });
  showToast({ text: t("edit-of-deleted"), undoLabel: t("drafts"), undo, isAlert: true });
}
