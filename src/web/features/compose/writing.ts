// What happens in the composer: text and target belong together until the text is on its way.
import { signal } from "@preact/signals";
import { showToast } from "../../ui/toast.tsx";
import type { Place } from "../../views.ts";
import { say } from "../../words/words.ts";
import { Box } from "../drafts/box.ts";
import { isSaved, type Shelf, shelf, typing } from "./desk.ts";
import { put, putBlock } from "../editor/edits.ts";
import type { EditorHandle } from "../editor/handle.ts";
import { replaceText, setText } from "../editor/field.ts";
import { follow, sendLater, sendNow } from "./send.ts";
import { aim, type Aim, answered, type ComposerHandle, selected } from "./session.ts";
import { runSlash } from "./slash.ts";
import { pendingIn } from "../uploads/uploads.ts";

export class Writing implements ComposerHandle {
  readonly text = signal("");
  readonly isPreviewing = signal(false);
  /** Send was pressed while files were on their way. */
  readonly isWaiting = signal(false);
  editor: EditorHandle | undefined;
  private box: Box | undefined;
  private view = "";
  private place: Place | undefined;
  /** Something is to be chosen before it can be sent. */
  private isIncomplete = true;
  private whenUploaded: (() => void) | undefined;

  /** From when the drafts are there. */
  furnish({ drafts }: Shelf): void {
    if (this.box || !this.editor) return;
    const { node } = this.editor;
    this.box = new Box(drafts, {
      text: () => node.value,
      setText: (words) => setText(node, words),
    });
    if (node.value === "") return this.box.turn(this.view, this.place);
    // What was typed before the drafts were there is not overwritten by them.
    this.box.adopt(this.view, this.place);
    this.box.typed();
  }

  turn(view: string, place: Place | undefined, isIncomplete: boolean): void {
    [this.view, this.place, this.isIncomplete] = [view, place, isIncomplete];
    this.box?.turn(view, place);
  }

  typed(words: string): void {
    this.text.value = words;
    if (words.trim() === "") answered.value = undefined;
    else answered.value ??= selected.peek();
    this.box?.typed();
    const { place } = this;
    if (place && words.trim() !== "" && document.activeElement === this.editor?.node)
      typing.typed(place);
    else typing.stop();
  }

  /** Another client has written on. */
  refresh(): void {
    this.box?.refresh();
  }

  /** `at`, in milliseconds: later. */
  async submit(at?: number): Promise<void> {
    const { editor, place } = this;
    const content = editor?.node.value ?? "";
    if (!editor || !place || this.isIncomplete || content.trim() === "") return;
    this.isWaiting.value = pendingIn(content).length > 0;
    if (this.isWaiting.value) {
      this.whenUploaded = () => void this.submit(at);
      return;
    }
    const bringBack = () => this.bringBack(content, place);
    const sent =
      at !== undefined
        ? await sendLater(place, content, at, bringBack)
        : runSlash(content) || (await sendNow(place, content));
    if (!sent) return;
    this.box?.sent(content, place);
    isSaved.value = undefined;
    this.isPreviewing.value = false;
    aim.value = undefined;
    if (sent !== true) follow(place, sent);
    editor.node.focus();
  }

  focus(): void {
    this.editor?.node.focus();
  }

  insert(block: string): void {
    this.editor?.apply(putBlock(this.editor.written(), block));
  }

  mention(name: string): void {
    this.editor?.apply(put(this.editor.written(), `@**${name}** `));
  }

  bringBack(words: string, to: Place): void {
    const before = this.editor?.node.value ?? "";
    if (JSON.stringify(to) !== JSON.stringify(this.place)) aim.value = aimOf(to);
    const undo = this.box?.replace(words);
    if (before.trim() !== "" && undo) showToast({ words: say("text-replaced"), undo });
    this.focus();
  }

  attach(files: readonly File[]): void {
    const uploads = shelf.peek()?.uploads;
    if (uploads) this.insert(files.map((file) => uploads.add(file)).join("\n"));
  }

  /** An upload is done: says whether its place was held here. */
  placed(placeholder: string, words: string): boolean {
    const { editor } = this;
    if (!editor || !replaceText(editor.node, placeholder, words)) return false;
    if (this.isWaiting.peek() && pendingIn(editor.node.value).length === 0) this.whenUploaded?.();
    return true;
  }

  /** A text of many pages is read better as a file. */
  offerFile(words: string): void {
    const { editor } = this;
    if (!editor) return;
    const { start } = editor.written();
    editor.apply(putBlock(editor.written(), words));
    const undo = () => {
      const at = editor.node.value.indexOf(words, Math.max(0, start - 1));
      if (at === -1) return;
      editor.apply({ start: at, end: at + words.length, put: "", select: [at, at] });
      this.attach([new File([words], "text.txt", { type: "text/plain" })]);
    };
    showToast({ words: say("long-text"), undoWords: say("attach-as-file"), undo });
  }
}

function aimOf(place: Place): Aim {
  return "user_ids" in place
    ? { kind: "direct", user_ids: place.user_ids, isNew: false }
    : { kind: "channel", ...place, isNew: false };
}
