// A text field and the attachments beside it, which together are the Markdown of a message.
import { signal } from "@preact/signals";
import { joinParts, partsOf } from "../uploads/attached-rules.ts";
import { placeholderRange } from "../uploads/uploads-sync.ts";
import { replaceRange, setText } from "./text-area-edits.ts";

export class AttachedText {
  /** Links of the attachments, in the order in which they are sent. */
  readonly links = signal<readonly string[]>([]);
  /** Called when the text is replaced: a removed attachment would return into another message. */
  onReplaced: (() => void) | undefined;
  private body: string;

  constructor(
    private readonly field: () => HTMLTextAreaElement | undefined,
    /** Called when attachments changed and the field did not. */
    private readonly changed: () => void,
    text = "",
  ) {
    const { body, links } = partsOf(text);
    this.body = body;
    this.links.value = links;
  }

  /** The text in the field, without attachments. */
  get currentText(): string {
    return (this.body = this.field()?.value ?? this.body);
  }

  get text(): string {
    return joinParts({ body: this.currentText, links: this.links.peek() });
  }

  /** Another text altogether. */
  set text(text: string) {
    const { body, links } = partsOf(text);
    const node = this.field();
    const isFieldChanged = node !== undefined && node.value !== body;
    this.onReplaced?.();
    this.body = body;
    this.links.value = links;
    if (isFieldChanged) setText(node, body);
    else this.changed();
  }

  add(links: readonly string[]): void {
    if (links.length > 0) this.setLinks([...this.links.peek(), ...links]);
  }

  /** Removes the link at a position. Returns a function that brings it back. */
  remove(index: number): () => void {
    const link = this.links.peek()[index];
    if (link === undefined) return () => undefined;
    this.setLinks(this.links.peek().toSpliced(index, 1));
    return () => this.setLinks(this.links.peek().toSpliced(index, 0, link));
  }

  /** Replaces a placeholder, with nothing if `text` is empty; returns whether it was there. */
  replace(placeholder: string, text: string): boolean {
    const links = this.links.peek();
    if (links.includes(placeholder)) {
      const put = text === "" ? [] : [text];
      this.setLinks(links.flatMap((link) => (link === placeholder ? put : [link])));
      return true;
    }
    const node = this.field();
    if (!node?.value.includes(placeholder)) return false;
    replaceRange(node, placeholderRange(node.value, placeholder, text), text);
    return true;
  }

  private setLinks(links: readonly string[]): void {
    this.links.value = links;
    this.changed();
  }
}
