// What is done to messages: each seen at once, and taken back where the server refuses.
import { addReminder, changeFlags, deleteMessage, dropReminder } from "../../api/calls.ts";
import { addressOf } from "../../address.ts";
import { sync } from "../../here.ts";
import { HIDDEN, hiddenMessages } from "./hidden.ts";
import { now, touch } from "../../live.ts";
import { type Deed, type Details, optimistic, showRefusal } from "../../optimistic.ts";
import { copyText } from "../../ui/copy.ts";
import { showToast } from "../../ui/toast.tsx";
import { topicView } from "../../views.ts";
import { say } from "../../words/words.ts";
import { current } from "../conversation/current.ts";
import { messageView } from "../conversation/drawing.ts";
import { placeOfMessage } from "../../feed/items.ts";
import type { Message } from "./state.ts";

type Flag = "read" | "starred" | "collapsed";
type Op = "add" | "remove";

export function setFlag(messages: readonly number[], flag: Flag, op: Op): Promise<boolean> {
  const changes = { flag, messages: [...messages] };
  const deed = (op: Op): Deed => {
    const flagged = { type: "update_message_flags" as const, ...changes, all: false as const };
    if (op === "add") return { ...flagged, op };
    return { ...flagged, op, ...(flag === "read" && { message_details: detailsOf(messages) }) };
  };
  const inverse = op === "add" ? "remove" : "add";
  return optimistic([deed(op)], [deed(inverse)], () => changeFlags(sync, { op, ...changes }));
}

/** Where each of them counts as unread, as the server tells it. */
function detailsOf(ids: readonly number[]): Details {
  const { messages, people } = now();
  const detail = (message: Message): Details[string] => {
    const place = placeOfMessage(message, people.me);
    const isMention = message.flags.some((flag) => flag.endsWith("mentioned"));
    const mentioned = isMention ? { mentioned: isMention } : {};
    return "topic" in place
      ? { type: "stream", ...place, ...mentioned }
      : { type: "private", ...place, ...mentioned };
  };
  const known = ids.flatMap((id) => messages.byId.get(id) ?? []);
  return Object.fromEntries(known.map((message) => [message.id, detail(message)]));
}

export function toggleStar({ id, flags }: Message): void {
  void setFlag([id], "starred", flags.includes("starred") ? "remove" : "add");
}

export function toggleCollapsed({ id, flags }: Message): void {
  void setFlag([id], "collapsed", flags.includes("collapsed") ? "remove" : "add");
}

/** At once, with the way back. */
export function setRead(ids: readonly number[]): void {
  const { placeOf } = now().unread;
  const messages = ids.filter((id) => placeOf.has(id));
  if (messages.length === 0) return;
  void setFlag(messages, "read", "add");
  const undo = () => void setFlag(messages, "read", "remove");
  showToast({ words: say("marked-read", { count: messages.length }), undo });
}

/** This message and what follows it in the view; reading marks nothing until one goes on. */
export function unreadFrom({ id }: Message): void {
  const open = current.peek();
  const ids = open?.idsFrom(id) ?? [id];
  const { messages } = now();
  const marked = ids.filter((one) => messages.byId.get(one)?.flags.includes("read"));
  open?.reader.pause();
  if (marked.length === 0) return;
  void setFlag(marked, "read", "remove");
  const undo = () => {
    open?.reader.resume();
    void setFlag(marked, "read", "add");
  };
  showToast({ words: say("marked-unread", { count: marked.length }), undo });
}

export function copyLink(message: Message): void {
  copyAddress(addressOf(messageView(message)));
}

/** Of the conversation that it is in, wherever that goes. */
export function copyTopicLink(message: Message): void {
  const place = placeOfMessage(message, now().people.me);
  const view =
    "topic" in place ? topicView(place.stream_id, place.topic, with_(message)) : undefined;
  copyAddress(addressOf(view ?? messageView(message)));
}

const with_ = ({ id }: Message) => ({ operator: "with" as const, id });

function copyAddress(fragment: string): void {
  copyText(new URL(`/${fragment}`, location.origin).href, say("link-copied"));
}

/** So long one can take it back: only then is the server told. */
const DELETE_AFTER_MS = 5000;
/** What ends the wait of those that are out of sight and not yet deleted. */
const leaving = new Map<number, () => void>();

export function removeMessage({ id }: Message): void {
  const show = () => {
    hiddenMessages.delete(id);
    touch(new Set([HIDDEN]));
  };
  const tell = async () => {
    if (!leaving.delete(id)) return;
    try {
      await deleteMessage(sync, { message_id: id }, { keepalive: document.hidden });
    } catch (error) {
      show();
      showRefusal(error);
    }
  };
  leaving.set(id, () => void tell());
  const timer = setTimeout(() => void tell(), DELETE_AFTER_MS);
  hiddenMessages.add(id);
  touch(new Set([HIDDEN]));
  const undo = () => {
    clearTimeout(timer);
    leaving.delete(id);
    show();
  };
  showToast({ words: say("deleted"), undo, ms: DELETE_AFTER_MS });
}

/** Who leaves has decided. */
addEventListener("pagehide", () => leaving.forEach((tell) => tell()));

/** `at`: seconds since 1970. */
export async function remind({ id }: Message, at: number, note: string): Promise<void> {
  const asked = { message_id: id, scheduled_delivery_timestamp: at, note };
  try {
    const { reminder_id } = await addReminder(sync, asked);
    const undo = () => void dropReminder(sync, { reminder_id }).catch(showRefusal);
    showToast({ words: say("reminder-set"), undo });
  } catch (error) {
    showRefusal(error);
  }
}
