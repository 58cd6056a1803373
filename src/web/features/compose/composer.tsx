// The composer, for the conversation that is open, selected or chosen.
import { useSignalEffect } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { keyOfConversation } from "../../conversation-keys.ts";
import { commandOf } from "../../ui/keys/commands.ts";
import { narrowKey } from "../../store/narrow.ts";
import { importOrReload } from "../../scripts.ts";
import { keyName } from "../../ui/keys/key-names.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { setColor } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import type { ConversationRef } from "../../views.ts";
import { t } from "../../words/words.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { RecipientPicker } from "../recipient/recipient-picker.tsx";
import { onComposerFocus, goBack, onComposerInput } from "./focus-messages.ts";
import { isSaved, stores, typing } from "./stores-sync.ts";
import { doesEnterSend, Editor } from "../editor/editor.tsx";
import type { EditorHandle } from "../editor/edit-rules.ts";
import { DropHere, acceptDrops } from "../uploads/drops.tsx";
import { Attachments } from "../uploads/files.tsx";
import { openScheduleMenu } from "../drafts/send-later.tsx";
import { NoticeList } from "./notice-list.tsx";
import { hasMentions, noticesOf } from "./notices.ts";
import { Preview } from "./preview.tsx";
import { type Reason, reasonAgainst } from "../recipient/reasons.ts";
import { recipientDraft } from "./session-state.ts";
import { closed, onComposerOpen, conversationOfRecipient } from "./handle-state.ts";
import { RecipientLine } from "../recipient/recipient-line.tsx";
import { VoiceLine } from "../voice/view.tsx";
import { openTexts } from "../uploads/texts-state.ts";
import { isWaitingForUpload } from "../uploads/send-after-upload-sync.ts";
import { ComposerSession } from "./composer-session.ts";

interface OpenComposerProps {
  terms: readonly NarrowTerm[] | undefined;
  /** The target that follows from the view or its selected message. */
  bound: ConversationRef | undefined;
}

export function OpenComposer({ terms, bound }: OpenComposerProps) {
  subscribe("channels", "users", "settings", "realm", "groups");
  const [session] = useState(() => new ComposerSession());
  const form = useRef<HTMLFormElement>(null);
  const recipient = recipientDraft.value;
  const conversation = recipient ? conversationOfRecipient(recipient) : bound;
  const reason = conversation && reasonAgainst(conversation, getState());
  // Only the server knows reliably whether the user may post. A required topic must be entered.
  const isIncomplete = !conversation || (reason !== undefined && !reason.isFinal);
  const color = conversation && barOf(conversation).color;
  const view = terms ? narrowKey(terms) : "";
  const onEditor = useSession(session, view, conversation, isIncomplete);
  useLayoutEffect(() => setColor(form.current, color ?? "currentcolor"), [color]);
  const hintId = useId();
  return (
    <>
      <form
        class="compose"
        aria-label={t("write-message")}
        data-c=""
        data-preview={session.isPreviewing.value ? "" : undefined}
        ref={form}
        onFocusIn={onComposerFocus}
        onInput={onComposerInput}
        onKeyDown={goBack}
        onSubmit={(event) => {
          event.preventDefault();
          void session.submit();
        }}
      >
        <Editor
          label={
            conversation ? t("write-to", { name: barOf(conversation).title }) : t("write-message")
          }
          conversation={conversation}
          hintId={hintId}
          onEditor={onEditor}
          onText={() => session.onInput()}
          onSubmit={() => void session.submit()}
          onFiles={(files) => session.attach(files)}
          onLongText={(text) => session.offerFile(text)}
          onKey={(key) => handleKey(key, session)}
          end={<End session={session} conversation={conversation} isDisabled={isIncomplete} />}
          endItems={(anchor) => (isIncomplete ? [] : [laterItem(anchor, session)])}
        >
          <AboveText session={session} view={view} conversation={conversation} reason={reason} />
        </Editor>
      </form>
      <EnterHint id={hintId} />
    </>
  );
}

const pressOf = (name: string) => keyName(name).replaceAll(" ", "+");

/** Shows which keys send the message and which start a new line. */
function EnterHint({ id }: { id: string }) {
  const [send, line] = doesEnterSend() ? ["Enter", "Shift+Enter"] : ["Mod+Enter", "Enter"];
  return (
    <p class="compose-hint" id={id}>
      {t("enter-hint", { send: pressOf(send), line: pressOf(line) })}
    </p>
  );
}

interface AboveTextProps {
  session: ComposerSession;
  view: string;
  conversation: ConversationRef | undefined;
  reason: Reason | undefined;
}

/** Shows the target, the attachments and the notices about the message. */
function AboveText({ session, view, conversation, reason }: AboveTextProps) {
  const recipient = recipientDraft.value;
  const stream_id =
    conversation && "stream_id" in conversation ? conversation.stream_id : undefined;
  subscribe(`subscribers:${stream_id ?? 0}`);
  const text = session.text.value;
  const isMentioning = hasMentions(text);
  useEffect(() => {
    if (isMentioning && stream_id !== undefined) void loadAllSubscribers(stream_id);
  }, [isMentioning, stream_id]);
  const notices = noticesOf(text, conversation, getState());
  return (
    <>
      {recipient && (
        <RecipientPicker
          recipient={recipient}
          onDone={() => session.focus()}
          onLeave={() => (recipientDraft.value = undefined)}
        />
      )}
      {!recipient && conversation && <RecipientLine conversation={conversation} />}
      <DropHere />
      <VoiceLine />
      <NoticeList notices={notices} conversation={conversation} reason={reason} />
      {session.isPreviewing.value && (
        <Preview text={session.text.value} isShown={session.isPreviewing} />
      )}
      <Attachments text={session.attached} owner={`composer ${view}`} />
    </>
  );
}

/** Loads the subscribers of a large channel, of which only some are known at first. */
async function loadAllSubscribers(stream_id: number): Promise<void> {
  if (!getState().channels.channels.get(stream_id)?.isPartial) return;
  const { loadSubscribers } = await importOrReload(
    () => import("../channels/subscriber-actions.ts"),
  );
  await loadSubscribers(stream_id).catch(() => undefined);
}

/** Returns whether it handled the key. */
function handleKey(key: string, session: ComposerSession): boolean {
  if (key === "Alt+P") session.isPreviewing.value = !session.isPreviewing.value;
  // If the composer is empty, the cursor is always in its first line.
  else if (key === "ArrowUp" && session.text.value === "") {
    return commandOf("edit-last")?.run() === true;
  } else return false;
  return true;
}

/** Connects the session with the drafts and the recipient; returns a setter of its editor. */
function useSession(
  session: ComposerSession,
  view: string,
  conversation: ConversationRef | undefined,
  isIncomplete: boolean,
): (editor: EditorHandle | undefined) => void {
  const end = useRef<(() => void) | undefined>(undefined);
  useSignalEffect(() => {
    if (stores.value) session.connect(stores.value);
  });
  useSignalEffect(() => {
    subscribe("drafts");
    session.refresh();
  });
  useLayoutEffect(
    () => session.switchTo(view, conversation, isIncomplete),
    [view, JSON.stringify(conversation), isIncomplete],
  );
  // Registered after the editor's own effects.
  return (editor) => {
    end.current?.();
    session.editor = editor;
    const openStores = stores.peek();
    if (editor && openStores) session.connect(openStores);
    end.current = editor && connectSession(session);
  };
}

/** While mounted, other modules can use the session, and files can be dropped anywhere. */
function connectSession(session: ComposerSession): () => void {
  onComposerOpen(session);
  const placedIn = (placeholder: string, text: string) => session.replaceUpload(placeholder, text);
  openTexts.add(placedIn);
  const end = acceptDrops(undefined, (files) => session.attach(files));
  return () => {
    end();
    closed(session);
    openTexts.delete(placedIn);
    typing.stop();
  };
}

const laterItem = (anchor: Element, session: ComposerSession): MenuItem => ({
  icon: "clock",
  label: t("send-later"),
  asks: true,
  run: () => sendLater(anchor, session),
});

function sendLater(anchor: Element, session: ComposerSession): void {
  openScheduleMenu(anchor, (sendAt) => void session.submit(sendAt));
}

interface EndProps {
  session: ComposerSession;
  conversation: ConversationRef | undefined;
  isDisabled: boolean;
}

function End({ session, conversation, isDisabled }: EndProps) {
  const { text, isPreviewing } = session;
  const isWaiting =
    conversation !== undefined && isWaitingForUpload(keyOfConversation(conversation));
  const hasText = text.value.trim() !== "";
  const saved = hasText && isSaved.value === true ? t("draft-saved") : undefined;
  const isScheduling = session.isSchedulingIn(conversation);
  const state = isScheduling ? t("scheduling") : isWaiting ? t("sends-after-upload") : saved;
  // Unlike `disabled`, it keeps the focus.
  const busy = isScheduling && { "aria-disabled": true };
  return (
    <>
      <span role="status" data-waiting={isWaiting || isScheduling ? "" : undefined}>
        {state}
      </span>
      {(hasText || isPreviewing.value) && (
        <button
          type="button"
          class="compose-peek"
          // Follows the send button in the Tab order, even if it is rendered later.
          tabIndex={-1}
          aria-pressed={isPreviewing.value}
          title={keyName("Alt+P")}
          onClick={() => (isPreviewing.value = !isPreviewing.value)}
        >
          {t("preview")}
        </button>
      )}
      <span class="send">
        <Button kind="primary" type="submit" disabled={isDisabled} {...busy}>
          {t("send")}
        </Button>
        <button
          type="button"
          class="btn"
          data-kind="primary"
          aria-label={t("send-later")}
          aria-haspopup="menu"
          disabled={isDisabled}
          {...busy}
          onClick={({ currentTarget }) => isScheduling || sendLater(currentTarget, session)}
        >
          <Icon name="down" size={16} />
        </button>
      </span>
    </>
  );
}
