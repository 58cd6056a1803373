// Binds the text in the composer to the draft of its recipient.
import { keyOfConversation } from "../../conversation-keys.ts";
import type { ConversationRef } from "../../views.ts";
import type { Drafts } from "./drafts-sync.ts";

/** The field with the text. */
interface BoundField {
  text(): string;
  setText(text: string): void;
}

/** The key while the user has not chosen a target. */
const NO_RECIPIENT = "new";

const keyFor = (conversation: ConversationRef | undefined) =>
  conversation ? keyOfConversation(conversation) : NO_RECIPIENT;

export class DraftBinding {
  private view: string | undefined;
  private conversation: ConversationRef | undefined;
  /** The conversation of the last check, and the server's version of its draft. */
  private shared: string | undefined;
  /** The text is being set by the program, not typed. */
  isChanging = false;

  constructor(
    private readonly drafts: Drafts,
    private readonly field: BoundField,
  ) {}

  /**
   * In another view, shows the draft of that view. In the same view, keeps the text, because only
   * the target changed.
   */
  switchTo(view: string, conversation: ConversationRef | undefined): void {
    const text = this.field.text();
    const [from, to] = [keyFor(this.conversation), keyFor(conversation)];
    const isOther = this.view !== view;
    // The view may also have another key because its topic was renamed.
    if (from === to && this.view !== undefined) return this.adopt(view, conversation);
    if (isOther) {
      // After a reload, the text is in the drafts and not in the field.
      if (this.view !== undefined) this.drafts.change(from, this.conversation, text);
      void this.drafts.flush();
      this.setText(this.drafts.of(to)?.text ?? "");
    } else if (text.trim() === "") this.setText(this.drafts.of(to)?.text ?? "");
    else this.drafts.move(from, to, conversation, text);
    [this.view, this.conversation] = [view, conversation];
  }

  /** The text stays and belongs to this place from now on. */
  adopt(view: string, conversation: ConversationRef | undefined): void {
    [this.view, this.conversation] = [view, conversation];
  }

  /** The topic with this key was renamed or moved. Returns whether the text belongs to it. */
  follow(from: string, to: ConversationRef): boolean {
    const isSame = keyFor(this.conversation) === from;
    if (isSame) this.conversation = to;
    return isSame;
  }

  onInput(): void {
    if (!this.isChanging)
      this.drafts.change(keyFor(this.conversation), this.conversation, this.field.text());
  }

  /** Removes the draft of a text that is being sent, once it is stored elsewhere (`stored`). */
  sent(text: string, conversation: ConversationRef, stored?: Promise<void>): void {
    this.drafts.forget(keyFor(conversation), stored);
    if (this.field.text() === text) this.setText("");
    else this.onInput();
  }

  /** Shows the draft of this conversation, which was changed elsewhere in the page. */
  showDraft(): void {
    this.setText(this.drafts.of(keyFor(this.conversation))?.text ?? "");
  }

  /** Leaves the text to the drafts, before another conversation is shown in the same view. */
  leave(): void {
    this.drafts.change(keyFor(this.conversation), this.conversation, this.field.text());
    this.view = this.conversation = undefined;
    this.setText("");
  }

  /** Applies another client's or tab's change of the draft, unless the user has typed since. */
  refresh(): void {
    const key = keyFor(this.conversation);
    const draft = this.drafts.of(key);
    const text = this.field.text();
    const isSent = this.shared === `${key} ${text}` || this.drafts.isOver(key, text);
    if (!draft && text !== "" && isSent) this.setText("");
    this.shared = draft?.synced && `${key} ${draft.synced}`;
    if (draft && draft.text === draft.synced && draft.text !== text && !this.isAhead(text)) {
      // Keeps the old text as a draft, unless the new one contains it.
      if (!draft.text.includes(text.trim())) this.drafts.moveAside(key, this.conversation, text);
      this.setText(draft.text);
    }
  }

  private isAhead(text: string): boolean {
    return text !== "" && this.drafts.isOwn(keyFor(this.conversation), text);
  }

  private setText(text: string): void {
    this.isChanging = true;
    this.field.setText(text);
    this.isChanging = false;
  }
}
