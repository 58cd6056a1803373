// The composer's text and target, which stay together until the text is sent.
import { signal } from "@preact/signals";
import { keyOfConversation } from "../../conversation-keys.ts";
import { showToast } from "../../ui/toast.tsx";
import type { ConversationRef } from "../../views.ts";
import { t } from "../../words/words.ts";
import { DraftBinding } from "../drafts/draft-binding.ts";
import { isSaved, type ComposerStores, stores, typing } from "./stores-sync.ts";
import { AttachedText } from "../editor/attached-text.ts";
import { replaceSelection, insertBlock } from "../editor/edit-rules.ts";
import type { EditorHandle } from "../editor/edit-rules.ts";
import { followSentMessage, sendOrRestore, sendLater, sendNow } from "./send.ts";
import { recipientDraft, type RecipientDraft, repliedTo, selected } from "./session-state.ts";
import type { ComposerHandle } from "./handle-state.ts";
import { runSlash } from "./slash.ts";
import { pendingIn } from "../uploads/uploads-sync.ts";
import { sendAfterUpload, cancelWaiting } from "../uploads/send-after-upload-sync.ts";

export class ComposerSession implements ComposerHandle {
  /** The text with its attachments, as it is sent. */
  readonly text = signal("");
  readonly attached = new AttachedText(
    () => this.editor?.node,
    () => this.onInput(),
  );
  readonly isPreviewing = signal(false);
  editor: EditorHandle | undefined;
  private draft: DraftBinding | undefined;
  private view = "";
  private conversation: ConversationRef | undefined;
  /** The user must still choose something before the message can be sent. */
  private isIncomplete = true;
  /** Texts, with their conversations, that the server has not confirmed to be scheduled yet. */
  private readonly scheduling = signal<ReadonlySet<string>>(new Set());

  /** Binds the text field to the drafts, once these are loaded. */
  connect({ drafts }: ComposerStores): void {
    if (this.draft || !this.editor) return;
    const { attached } = this;
    this.draft = new DraftBinding(drafts, {
      text: () => attached.text,
      setText: (text) => (attached.text = text),
    });
    if (attached.text === "") return this.draft.switchTo(this.view, this.conversation);
    // Text that was typed before the drafts were loaded is not replaced by them.
    this.draft.adopt(this.view, this.conversation);
    this.draft.onInput();
  }

  switchTo(view: string, conversation: ConversationRef | undefined, isIncomplete: boolean): void {
    // A text whose target changes is a new message.
    if (view === this.view && this.conversation && !isSame(conversation, this.conversation))
      cancelWaiting(keyOfConversation(this.conversation));
    [this.view, this.conversation, this.isIncomplete] = [view, conversation, isIncomplete];
    this.draft?.switchTo(view, conversation);
  }

  follow(from: string, to: ConversationRef): boolean {
    const isSame = this.conversation !== undefined && keyOfConversation(this.conversation) === from;
    if (isSame) this.conversation = to;
    this.draft?.follow(from, to);
    if (isSame && recipientDraft.peek()) recipientDraft.value = recipientOf(to);
    return isSame;
  }

  /** Owner of rejected files. It contains the view, since each view has its own text. */
  get owner(): string {
    return `composer ${this.view}`;
  }

  onInput(): void {
    const text = this.attached.text;
    this.text.value = text;
    // Further typing cancels the waiting send.
    if (this.conversation && !this.draft?.isChanging)
      cancelWaiting(keyOfConversation(this.conversation));
    if (text.trim() === "") repliedTo.value = undefined;
    else repliedTo.value ??= selected.peek();
    this.draft?.onInput();
    const { conversation } = this;
    if (conversation && text.trim() !== "" && document.activeElement === this.editor?.node)
      typing.notifyInput(conversation);
    else typing.stop();
  }

  /** Applies other clients' changes of the draft. */
  refresh(): void {
    this.draft?.refresh();
  }

  /** Sends the text; with `at`, in milliseconds since 1970, as a scheduled message. */
  async submit(sendAt?: number): Promise<void> {
    const { editor, conversation, view, owner } = this;
    const content = this.attached.text;
    if (!editor || !conversation || this.isIncomplete || content.trim() === "") return;
    const key = schedulingKey(conversation, content);
    if (this.scheduling.peek().has(key)) return;
    const pending = pendingIn(content);
    if (pending.length > 0) return this.wait(conversation, pending, sendAt);
    const queued =
      sendAt !== undefined
        ? await this.schedule(key, () => sendLater(conversation, content, sendAt))
        : runSlash(content) || sendNow(conversation, content);
    if (!queued) return;
    this.draft?.sent(content, conversation, queued === true ? undefined : queued.stored);
    stores.peek()?.uploads.forgetRefused(owner);
    // The user may have opened another view since.
    if (view !== this.view || !isSame(conversation, this.conversation)) return;
    isSaved.value = undefined;
    this.isPreviewing.value = false;
    recipientDraft.value = undefined;
    if (queued !== true) followSentMessage(conversation, queued.message);
    editor.node.focus();
  }

  private async schedule<T>(key: string, send: () => Promise<T>): Promise<T> {
    this.scheduling.value = new Set(this.scheduling.peek()).add(key);
    try {
      return await send();
    } finally {
      this.scheduling.value = this.scheduling.peek().difference(new Set([key]));
    }
  }

  /** Whether the server has not confirmed yet that the current text is scheduled. */
  isSchedulingIn(conversation: ConversationRef | undefined): boolean {
    const key = conversation && schedulingKey(conversation, this.text.value);
    return key !== undefined && this.scheduling.value.has(key);
  }

  /** Sends the text when its uploads are complete, if this browser uploads them. */
  private async wait(
    conversation: ConversationRef,
    pending: string[],
    sendAt: number | undefined,
  ): Promise<void> {
    const key = keyOfConversation(conversation);
    sendAfterUpload(key, {
      time: sendAt,
      send: (text, to = conversation) => void sendOrRestore(to, text, sendAt),
    });
    if (await stores.peek()?.uploads.hasAll(pending)) return;
    if (cancelWaiting(key)) showToast({ text: t("upload-elsewhere"), isAlert: true });
  }

  focus(): void {
    this.editor?.node.focus();
  }

  insert(block: string): void {
    this.editor?.apply(insertBlock(this.editor.content(), block));
  }

  mention(name: string): void {
    this.editor?.apply(replaceSelection(this.editor.content(), `@**${name}** `));
  }

  showDraft(to: ConversationRef): void {
    if (this.conversation && keyOfConversation(to) === keyOfConversation(this.conversation))
      this.draft?.showDraft();
    else {
      this.draft?.leave();
      recipientDraft.value = recipientOf(to);
    }
    this.focus();
  }

  attach(files: readonly File[]): void {
    const uploads = stores.peek()?.uploads;
    this.attached.add(uploads?.add(files, this.owner) ?? []);
  }

  /** Replaces the placeholder of a finished upload; returns the owner if the text had it. */
  replaceUpload(placeholder: string, text: string): string | undefined {
    const { attached, conversation, owner } = this;
    if (!attached.text.includes(placeholder)) return undefined;
    const key = conversation ? keyOfConversation(conversation) : "";
    const wait = cancelWaiting(key);
    attached.replace(placeholder, text);
    // The message is incomplete until its file is uploaded.
    if (!wait || text === "") return owner;
    if (pendingIn(attached.text).length === 0) void this.submit(wait.time);
    else sendAfterUpload(key, wait);
    return owner;
  }

  /** Offers to attach a long pasted text as a file. */
  offerFile(text: string): void {
    const { editor } = this;
    if (!editor) return;
    const { start } = editor.content();
    editor.apply(insertBlock(editor.content(), text));
    const undo = () => {
      const position = editor.node.value.indexOf(text, Math.max(0, start - 1));
      if (position === -1) return;
      editor.apply({
        start: position,
        end: position + text.length,
        replacement: "",
        select: [position, position],
      });
      this.attach([new File([text], "text.txt", { type: "text/plain" })]);
    };
    showToast({ text: t("long-text"), undoLabel: t("attach-as-file"), undo });
  }
}

const schedulingKey = (conversation: ConversationRef, text: string) =>
  `${keyOfConversation(conversation)} ${text}`;

const isSame = (a: ConversationRef | undefined, b: ConversationRef | undefined) =>
  JSON.stringify(a) === JSON.stringify(b);

function recipientOf(conversation: ConversationRef): RecipientDraft {
  return "user_ids" in conversation
    ? { kind: "direct", user_ids: conversation.user_ids, isNew: false }
    : { kind: "channel", ...conversation, isNew: false };
}
