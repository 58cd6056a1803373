// Actions on messages, applied at once and undone if the server rejects them.
import { effect, untracked } from "@preact/signals";
import { changeFlags } from "../../api/calls.ts";
import { addReminder, deleteMessage, dropReminder } from "../../api/message-calls.ts";
import { addressOf } from "../../store/address.ts";
import { personal, sync } from "../../sync/session.ts";
import { missingMessageText } from "./unavailable-selectors.ts";
import { HIDDEN, hiddenMessages } from "../../feed/hidden.ts";
import { getState, invalidate } from "../../store/store.ts";
import { deleteWithUndo, optimistic, showRefusal } from "../../sync/optimistic.ts";
import type { LocalEvent, MessageDetails } from "../../contract/snapshot.ts";
import { announce } from "../../ui/live-region.ts";
import { copyText } from "../../ui/copy.ts";
import { showToast } from "../../ui/toast.tsx";
import { topicView } from "../../views.ts";
import { t } from "../../words/words.ts";
import { current } from "../conversation/current-state.ts";
import { messageView } from "../conversation/selectors.ts";
import { conversationOfMessage } from "../../feed/items.ts";
import { wireTerms } from "../../store/narrow.ts";
import { segmentAt } from "../../feed/segments.ts";
import { viewFor } from "../../store/feed-views.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { isOpen } from "../topics/permissions.ts";
import { markThroughEnd } from "../unread/mark-range-actions.ts";
import type { Message } from "../../contract/message.ts";

/** The current message; undefined, with a notice, if it can no longer be changed. */
export function changeableMessage(id: number): Message | undefined {
  const state = getState();
  const message = state.messages.byId.get(id);
  if (message && isOpen(message.stream_id, state)) return message;
  showToast({ text: missingMessageText(id), isAlert: true });
  return undefined;
}

type MessageFlag = "read" | "starred" | "collapsed";
type FlagOperation = "add" | "remove";

export function setFlag(messages: readonly number[], flag: MessageFlag, op: FlagOperation): void {
  const changes = { flag, messages: [...messages] };
  const localEvent = (op: FlagOperation): LocalEvent => {
    const flagged = { type: "update_message_flags" as const, ...changes, all: false as const };
    if (op === "add") return { ...flagged, op };
    return { ...flagged, op, ...(flag === "read" && { message_details: detailsOf(messages) }) };
  };
  const inverse = op === "add" ? "remove" : "add";
  void optimistic(
    changeFlags.toRequest({ op, ...changes }),
    [localEvent(op)],
    [localEvent(inverse)],
  );
}

/** Conversations in which messages count as unread, in the server's form. */
function detailsOf(ids: readonly number[]): MessageDetails {
  const { messages, people } = getState();
  const detail = (message: Message): MessageDetails[string] => {
    const conversation = conversationOfMessage(message, people.me);
    const isMention = message.flags.some((flag) => flag.endsWith("mentioned"));
    const mentioned = isMention ? { mentioned: isMention } : {};
    return "topic" in conversation
      ? { type: "stream", ...conversation, ...mentioned }
      : { type: "private", ...conversation, ...mentioned };
  };
  const stored = ids.flatMap((id) => messages.byId.get(id) ?? []);
  return Object.fromEntries(stored.map((message) => [message.id, detail(message)]));
}

export function toggleStar({ id, flags }: Message): void {
  const isStarred = flags.includes("starred");
  setFlag([id], "starred", isStarred ? "remove" : "add");
  announce(t(isStarred ? "star-removed" : "starred"));
}

export function toggleCollapsed({ id, flags }: Message): void {
  setFlag([id], "collapsed", flags.includes("collapsed") ? "remove" : "add");
}

/**
 * Marks this message and the later ones in the view as unread; reading is paused until the user
 * moves on.
 */
export async function unreadFrom({ id }: Message): Promise<void> {
  const open = current.peek();
  const ids = open?.idsFrom(id) ?? [id];
  const { byId } = getState().messages;
  const marked = ids.filter((messageId) => byId.get(messageId)?.flags.includes("read"));
  open?.reader.pause();
  if (marked.length > 0) setFlag(marked, "read", "remove");
  const rest = open && unreadAfter(open.terms, ids.at(-1) ?? id);
  const undo = () => {
    open?.reader.resume();
    rest?.stop();
    setFlag([...marked, ...(rest?.ids() ?? [])], "read", "add");
  };
  const showMarkedToast = (count: number) => {
    if (count > 0) showToast({ text: t("marked-unread", { count }), undo });
  };
  if (!rest) return showMarkedToast(marked.length);
  // If there is no network, the rest is marked later.
  if (sync.connection.peek().kind !== "live") showMarkedToast(marked.length);
  const result = await rest.finished;
  if (result) showMarkedToast(marked.length + result.count);
}

/** The server marks the following messages that are not loaded, and sends an event. */
function unreadAfter(terms: readonly NarrowTerm[], id: number) {
  const view = viewFor(terms);
  if (segmentAt(view, id)?.to === Infinity) return undefined;
  const before = new Set(getState().unread.byMessage.keys());
  const narrow = wireTerms(view.terms);
  const marking = markThroughEnd({ anchor: `${id}`, narrow, isAfter: true });
  const isIn = (messageId: number) =>
    messageId > id && messageId <= marking.last() && !before.has(messageId);
  return { ...marking, ids: () => [...getState().unread.byMessage.keys()].filter(isIn) };
}

export function copyLink(message: Message): void {
  copyAddress(addressOf(messageView(message)));
}

/** A link to the message's conversation that stays valid when it is moved. */
export function copyTopicLink(message: Message): void {
  const conversation = conversationOfMessage(message, getState().people.me);
  const view =
    "topic" in conversation
      ? topicView(conversation.stream_id, conversation.topic, withTerm(message))
      : undefined;
  copyAddress(addressOf(view ?? messageView(message)));
}

const withTerm = ({ id }: Message) => ({ operator: "with" as const, id });

function copyAddress(fragment: string): void {
  copyText(`${location.origin}/${fragment}`, t("link-copied"));
}

/** Time in which the deletion can be undone. The server is informed afterwards. */
const DELETE_AFTER_MS = 5000;

export function removeMessage({ id }: Message): void {
  const change = { message_id: id };
  const done: LocalEvent[] = [{ type: "delete_message", message_ids: [id] }];
  const more = { change, done, text: t("deleted"), ms: DELETE_AFTER_MS };
  void deleteWithUndo(deleteMessage.toRequest({ message_id: id }), [], [], more);
}

/** Hides messages that are being deleted on all pages. */
effect(() => {
  const open = personal.value;
  void open?.mutations.revision.value;
  const deletions = (open?.mutations.changes() ?? []).filter(({ method }) => method === "DELETE");
  const ids = new Set(deletions.flatMap(({ change }) => change?.message_id ?? []));
  if (ids.symmetricDifference(hiddenMessages).size === 0) return;
  hiddenMessages.clear();
  for (const id of ids) hiddenMessages.add(id);
  untracked(() => invalidate([HIDDEN]));
});

/** `seconds`: since 1970. Throws if the server does not set the reminder. */
export async function remind({ id }: Message, seconds: number, note: string): Promise<void> {
  const params = { message_id: id, scheduled_delivery_timestamp: seconds, note };
  const { reminder_id } = await addReminder(sync, params);
  const undo = () => void dropReminder(sync, { reminder_id }).catch(showRefusal);
  showToast({ text: t("reminder-set"), undo });
}
