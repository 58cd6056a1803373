// The text of a message being edited: stored at each pause, and saved on request.
import { signal } from "@preact/signals";
import { browserRuntime } from "../../api/runtime.ts";
import type { StoredDraftRow } from "../../sync/personal-database.ts";
import type { Rows } from "../../sync/rows.ts";
import type { ConversationRef } from "../../views.ts";
import { AttachedText } from "../editor/attached-text.ts";
import type { EditorHandle } from "../editor/edit-rules.ts";
import { typingOnEdit } from "../compose/stores-sync.ts";
import { isSameText } from "../uploads/attached-rules.ts";
import { pendingIn } from "../uploads/uploads-sync.ts";
import { editKey, type StoredEdit } from "../drafts/edits-sync.ts";
import { save } from "./save.ts";
import { sha256 } from "./sha256.ts";

const DISK_MS = 300;

export class MessageEdit {
  readonly message_id: number;
  /** The text with its attachments, as it is saved. */
  readonly text = signal("");
  readonly attached: AttachedText;
  /** Whether the edit waits for uploads, and is saved when they are complete. */
  readonly isUploading = signal(false);
  readonly isPreviewing = signal(false);
  editor: EditorHandle | undefined;
  /** The conversation of the message, or the last one of a deleted message; if known. */
  conversation: ConversationRef | undefined;
  private before: string;
  private hash: string | undefined;
  private cancelDisk: (() => void) | undefined;
  private isStored = true;

  constructor(
    stored: StoredEdit,
    private readonly rows: Rows<StoredDraftRow>,
    /** Called after it is saved or canceled. */
    private readonly onEnd: () => void,
  ) {
    this.message_id = stored.message_id;
    this.before = stored.before;
    this.hash = stored.sha256;
    this.text.value = stored.text;
    this.attached = new AttachedText(
      () => this.editor?.node,
      () => this.onInput(),
      stored.text,
    );
  }

  get isChanged(): boolean {
    return !isSameText(this.text.peek(), this.before);
  }

  /** Further typing cancels the waiting save. */
  onInput(): void {
    const text = this.attached.text;
    if (text === this.text.peek()) return;
    this.text.value = text;
    this.isUploading.value = this.isStored = false;
    typingOnEdit.notifyInput(this.message_id);
    this.cancelDisk?.();
    this.cancelDisk = browserRuntime.after(DISK_MS, () => void this.store());
  }

  /** Stores the text now, because the page may close. */
  async store(): Promise<void> {
    this.cancelDisk?.();
    this.isStored = true;
    await this.rows.put(this.toStored()).catch(() => undefined);
  }

  toStored(): StoredEdit {
    const { message_id, before, hash } = this;
    const text = this.text.peek();
    const key = editKey(message_id);
    return { place: key, message_id, text, changed: browserRuntime.now(), before, sha256: hash };
  }

  /**
   * Saves the edit. It stays on disk as an edit in progress until the mutation queue has stored it.
   */
  save(): void {
    const content = this.text.peek();
    this.isUploading.value = pendingIn(content).length > 0;
    if (this.isUploading.peek()) return;
    if (!this.isChanged) return this.end();
    const { message_id, hash: prev_content_sha256 } = this;
    this.end(save(message_id, { content, prev_content_sha256 }));
  }

  /** The owner of rejected files. */
  get owner(): string {
    return editKey(this.message_id);
  }

  /** Replaces the placeholder of a finished upload; returns the owner if this text contained it. */
  replaceUpload(placeholder: string, text: string): string | undefined {
    const isWaiting = this.isUploading.peek();
    if (!this.attached.replace(placeholder, text)) return undefined;
    if (isWaiting && text !== "") this.save();
    return this.owner;
  }

  /** Called when the content of the message has changed, by any client. */
  async followed(content: string): Promise<void> {
    // The user's own earlier change has arrived and is the new starting point.
    if (content === this.before.trim()) this.hash = await sha256(content);
    // Another client has made the same change.
    else if (content === this.text.peek().trim()) this.end();
    // If the user has not changed anything, the edit continues with the new content.
    else if (!this.isChanged) {
      this.before = content;
      this.text.value = content;
      this.attached.text = content;
      const hash = await sha256(content);
      if (this.before === content) this.hash = hash;
    }
  }

  /** Ends the edit, and returns its text unless another tab has already taken it. */
  async take(): Promise<string | undefined> {
    let isHere = this.isChanged && !this.isStored;
    this.cancelDisk?.();
    const take = () => (isHere = this.isChanged || isHere);
    await this.rows.delete(editKey(this.message_id), take);
    this.end();
    return isHere ? this.text.peek() : undefined;
  }

  end(after: Promise<unknown> = Promise.resolve()): void {
    typingOnEdit.stop();
    this.cancelDisk?.();
    void after.then(() => this.rows.delete(editKey(this.message_id)));
    this.onEnd();
  }
}
