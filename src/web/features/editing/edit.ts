// The text of a message while one changes it: kept at each pause, and given away when one says so.
import { signal } from "@preact/signals";
import { world } from "../../api/ask.ts";
import type { KeptDraft } from "../../sync/kept.ts";
import type { Rows } from "../../sync/rows.ts";
import { putWords } from "../editor/field.ts";
import type { EditorHandle } from "../editor/handle.ts";
import { typingOnEdit } from "../compose/desk.ts";
import { pendingIn, placeIn, withWords } from "../uploads/uploads.ts";
import { editKey, type KeptEdit } from "./kept.ts";
import { save } from "./save.ts";
import { sha256 } from "./sha256.ts";

const DISK_MS = 300;

export class Edit {
  readonly message_id: number;
  readonly text = signal("");
  /** To be saved as soon as its uploads are complete. */
  readonly isUploading = signal(false);
  readonly isPreviewing = signal(false);
  editor: EditorHandle | undefined;
  private before: string;
  private hash: string | undefined;
  private cancelDisk: (() => void) | undefined;

  constructor(
    kept: KeptEdit,
    private readonly rows: Rows<KeptDraft>,
    /** Called after it is saved or canceled. */
    private readonly onEnd: () => void,
  ) {
    this.message_id = kept.message_id;
    this.before = kept.before;
    this.hash = kept.sha256;
    this.text.value = kept.text;
  }

  get isChanged(): boolean {
    return this.text.peek() !== this.before;
  }

  /** Further typing cancels the waiting save. */
  typed(words: string): void {
    if (words === this.text.peek()) return;
    this.text.value = words;
    this.isUploading.value = false;
    typingOnEdit.typed(this.message_id);
    this.cancelDisk?.();
    this.cancelDisk = world.after(DISK_MS, () => void this.keep());
  }

  /** Now, as the page may go. */
  async keep(): Promise<void> {
    this.cancelDisk?.();
    await this.rows.put(this.kept()).catch(() => undefined);
  }

  kept(): KeptEdit {
    const { message_id, before, hash } = this;
    const text = this.text.peek();
    const place = editKey(message_id);
    return { place, message_id, text, changed: world.now(), before, sha256: hash };
  }

  /** Stays on disk as an edit in progress until it is stored in the outbox. */
  save(): void {
    const content = this.text.peek();
    this.isUploading.value = pendingIn(content).length > 0;
    if (this.isUploading.peek()) return;
    if (!this.isChanged) return this.end();
    const { message_id, hash: prev_content_sha256 } = this;
    this.end(save(message_id, { content, prev_content_sha256 }));
  }

  /** An upload is done: says whether its place was held here. */
  placed(placeholder: string, words: string): boolean {
    if (!this.text.peek().includes(placeholder)) return false;
    const isWaiting = this.isUploading.peek();
    const { node } = this.editor ?? {};
    if (node?.value.includes(placeholder))
      putWords(node, placeIn(node.value, placeholder, words), words);
    else this.typed(withWords(this.text.peek(), placeholder, words));
    if (isWaiting && words !== "") this.save();
    return true;
  }

  /** The message says this now, whoever made it so. */
  async followed(content: string): Promise<void> {
    // An earlier change that waited has arrived: one goes on from there.
    if (content === this.before.trim()) this.hash = await sha256(content);
    // The other change has the same text.
    else if (content === this.text.peek().trim()) this.end();
    // Without own changes, continues with the new text.
    else if (!this.isChanged) {
      this.before = content;
      this.text.value = content;
      const { node } = this.editor ?? {};
      if (node) putWords(node, [0, node.value.length], content);
      const hash = await sha256(content);
      if (this.before === content) this.hash = hash;
    }
  }

  end(after: Promise<unknown> = Promise.resolve()): void {
    typingOnEdit.stop();
    this.cancelDisk?.();
    void after.then(() => this.rows.delete(editKey(this.message_id)));
    this.onEnd();
  }
}
