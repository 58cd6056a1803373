// Commands that start writing: in the conversation, to a user, or about a message.
import { view } from "../../store/address.ts";
import { fetchMessageNow } from "../messages/fetch-sync.ts";
import { type Command, registerCommands, onTarget } from "../../ui/keys/commands.ts";
import { isContiguous } from "../../store/narrow.ts";
import { isLocal } from "../../feed/local-ids.ts";
import { conversationOfMessage } from "../../feed/items.ts";
import { sync } from "../../sync/session.ts";
import { maybeState, getState } from "../../store/store.ts";
import { isLayered } from "../../ui/layers.ts";
import { showToast } from "../../ui/toast.tsx";
import { go } from "../../store/address.ts";
import { directView, conversationOf, topicView, type ConversationRef } from "../../views.ts";
import { t } from "../../words/words.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import type { Message } from "../../contract/message.ts";
import { personOf } from "../people/state.ts";
import { canRecord } from "../voice/record.ts";
import { recordVoice } from "../voice/view.tsx";
import { type CallKind, callLink, hasCalls } from "../editor/calls.ts";
import { quotationOf } from "../messages/quote-actions.ts";
import { selectionWith } from "./quote.ts";
import { recipientDraft, repliedTo, selected } from "./session-state.ts";
import { conversationOfRecipient, withComposer } from "./handle-state.ts";

const isFree = () => maybeState() !== undefined && !isLayered();
const selectedIfFree = () => (isFree() ? selectedMessage() : undefined);

const commands: Command[] = [
  {
    id: "reply",
    textKey: "reply",
    keys: ["r"],
    when: canReply,
    run: () => reply(),
  },
  {
    id: "reply-enter",
    textKey: "reply",
    keys: ["Enter"],
    isUnlisted: true,
    // In views of many conversations, it opens the conversation.
    when: () => canReply() && !isScattered(),
    // On a link or a button, Enter keeps its usual effect.
    run: () => (isOnControl() ? false : reply()),
  },
  {
    id: "reply-directly",
    textKey: "reply-directly",
    keys: ["R"],
    ...onTarget(selectedIfFree, ({ sender_id }) =>
      openComposerFor({ user_ids: [sender_id].filter((id) => id !== getState().people.me) }),
    ),
  },
  {
    id: "reply-mention",
    textKey: "reply-mention",
    keys: ["@"],
    ...onTarget(selectedIfFree, mentionSender),
  },
  {
    id: "quote",
    textKey: "quote-message",
    keys: [">"],
    when: () => isFree() && selectedMessage() !== undefined,
    run: () => quote(),
  },
  {
    id: "new-message",
    textKey: "new-message",
    keys: ["c"],
    when: isFree,
    run: () => startWriting(termsHere(), "channel"),
  },
  {
    id: "new-direct",
    textKey: "new-direct",
    keys: ["x"],
    when: isFree,
    run: () => startWriting(termsHere(), "direct"),
  },
  {
    id: "record-voice",
    textKey: "record-voice",
    when: () => isFree() && canRecord(),
    run: () => void recordVoice(),
  },
  callCommand("video"),
  callCommand("voice"),
  {
    id: "go-to-target",
    textKey: "go-to-target",
    keys: ["Mod+."],
    whileWriting: true,
    when: isFree,
    run: () => goToTarget(),
  },
  {
    id: "leave-composer",
    textKey: "leave-composer",
    keys: ["Escape"],
    isUnlisted: true,
    whileWriting: true,
    when: () => isFree() && document.activeElement?.closest(".compose") !== null,
    run: () => leaveComposer(),
  },
];
registerCommands(...commands);

/** Inserts a link to a new call room into the text. */
function callCommand(kind: CallKind): Command {
  const textKey = `${kind}-call` as const;
  const run = () => withComposer((open) => open.insert(callLink(kind)));
  return { id: textKey, textKey, when: () => isFree() && hasCalls(), run };
}

function termsHere(): readonly NarrowTerm[] | undefined {
  const currentView = view.peek();
  if (currentView.kind === "topics") {
    return [{ operator: "channel", operand: `${currentView.stream_id}`, negated: false }];
  }
  return currentView.kind === "messages" ? currentView.terms : undefined;
}

/** Selects a target and keeps the text that was already typed. */
export function startWriting(
  terms: readonly NarrowTerm[] | undefined,
  kind: "channel" | "direct",
): void {
  const message = selectedMessage();
  const channel = terms?.find(({ operator, negated }) => operator === "channel" && !negated);
  const stream_id = Number(channel?.operand) || message?.stream_id;
  recipientDraft.value =
    kind === "direct"
      ? { kind, user_ids: [], isNew: true }
      : { kind, stream_id, topic: "", isNew: true };
}

/** Whether a conversation or a selected message can be replied to. */
function canReply(): boolean {
  if (!isFree()) return false;
  const terms = termsHere();
  const isOpen = terms !== undefined && conversationOf(terms, getState().people.me) !== undefined;
  return isOpen || (view.peek().kind === "messages" && selectedMessage() !== undefined);
}

function isScattered(): boolean {
  const terms = termsHere();
  return terms !== undefined && !isContiguous(terms);
}

function isOnControl(): boolean {
  const { activeElement } = document;
  return activeElement?.matches("a, button, input, select, summary, [role=button]") === true;
}

/** The message that has the focus or had it last, or the newest of the open conversation. */
function selectedMessage(): Message | undefined {
  // While a finger rests on a message, `selected` is still the one before.
  const focused = document.activeElement?.closest<HTMLElement>(".feed article.msg");
  const id = focused ? Number(focused.dataset["id"]) : selected.peek();
  if (id === undefined || isLocal(id)) return undefined;
  return maybeState()?.messages.byId.get(id);
}

function reply(): boolean {
  const terms = termsHere();
  const isOpen = terms && conversationOf(terms, getState().people.me) !== undefined;
  if (!isOpen && !selectedMessage()) return false;
  recipientDraft.value = undefined;
  repliedTo.value = selected.peek();
  withComposer((open) => open.focus());
  return true;
}

function openComposerFor(conversation: ConversationRef): void {
  recipientDraft.value =
    "user_ids" in conversation
      ? {
          kind: "direct",
          user_ids:
            conversation.user_ids.length > 0 ? conversation.user_ids : [getState().people.me],
          isNew: false,
        }
      : { kind: "channel", ...conversation, isNew: false };
  withComposer((open) => open.focus());
}

function mentionSender({ sender_id, sender_full_name }: Message): void {
  const name = personOf(getState().people, sender_id)?.full_name ?? sender_full_name;
  withComposer((open) => open.mention(name, sender_id));
}

/** Quotes the selected text of these messages, or the whole message. */
async function quote(message = selectedMessage()): Promise<void> {
  if (!message) return;
  let picked = selectionWith(message.id);
  const before = view.peek();
  try {
    if (picked.length === 0) {
      const { raw_content } = await fetchMessageNow(sync, { message_id: message.id });
      picked = [{ id: message.id, markdown: raw_content }];
    }
  } catch {
    showToast({ text: t("quote-failed"), isAlert: true });
    return;
  }
  // The user may have opened another conversation since.
  if (view.peek() !== before) return;
  const { byId } = getState().messages;
  const blocks = picked.flatMap(({ id, markdown }) => {
    const from = id === message.id ? message : byId.get(id);
    return from ? [quotationOf(from, markdown.trim())] : [];
  });
  const terms = termsHere();
  if (!terms || !conversationOf(terms, getState().people.me))
    repliedTo.value = selected.value = message.id;
  withComposer((open) => open.insert(blocks.join("\n")));
}

function goToTarget(): void {
  const recipient = recipientDraft.peek();
  const message = selectedMessage();
  const conversation =
    (recipient && conversationOfRecipient(recipient)) ??
    (message && conversationOfMessage(message, getState().people.me));
  if (!conversation) return;
  go(
    "user_ids" in conversation
      ? directView(conversation.user_ids, getState().people.me)
      : topicView(conversation.stream_id, conversation.topic),
  );
}

/** Keeps the text as a draft, and moves the focus to the messages. */
function leaveComposer(): void {
  const id = selected.peek();
  const row = id === undefined ? null : document.querySelector<HTMLElement>(`#m${id}`);
  const feed = document.querySelector<HTMLElement>(".feed");
  recipientDraft.value = undefined;
  (row ?? feed)?.focus({ preventScroll: true });
}
