// The composer's text and target, which stay together until the text is sent.
import { signal } from "@preact/signals";
import { showToast } from "../../ui/toast.tsx";
import type { Place } from "../../views.ts";
import { say } from "../../words/words.ts";
import { Box } from "../drafts/box.ts";
import { isSaved, type Shelf, shelf, typing } from "./desk.ts";
import { put, putBlock } from "../editor/edits.ts";
import type { EditorHandle } from "../editor/handle.ts";
import { putWords, setText } from "../editor/field.ts";
import { follow, sendHeld, sendLater, sendNow } from "./send.ts";
import { aim, type Aim, answered, type ComposerHandle, selected } from "./session.ts";
import { runSlash } from "./slash.ts";
import { pendingIn, placeIn } from "../uploads/uploads.ts";
import { hold, release } from "../uploads/waits.ts";
import { placeKey } from "../target/places.ts";

export class Writing implements ComposerHandle {
  readonly text = signal("");
  readonly isPreviewing = signal(false);
  editor: EditorHandle | undefined;
  private box: Box | undefined;
  private view = "";
  private place: Place | undefined;
  /** Something is to be chosen before it can be sent. */
  private isIncomplete = true;

  /** From when the drafts are there. */
  furnish({ drafts }: Shelf): void {
    if (this.box || !this.editor) return;
    const { node } = this.editor;
    this.box = new Box(drafts, {
      text: () => node.value,
      setText: (words) => setText(node, words),
    });
    if (node.value === "") return this.box.turn(this.view, this.place);
    // Text that was typed before the drafts were loaded is not replaced by them.
    this.box.adopt(this.view, this.place);
    this.box.typed();
  }

  turn(view: string, place: Place | undefined, isIncomplete: boolean): void {
    // A text that now goes elsewhere is a new message.
    if (view === this.view && this.place && !isSame(place, this.place))
      release(placeKey(this.place));
    [this.view, this.place, this.isIncomplete] = [view, place, isIncomplete];
    this.box?.turn(view, place);
  }

  typed(words: string): void {
    this.text.value = words;
    // Further typing cancels the waiting send.
    if (this.place && !this.box?.isChanging) release(placeKey(this.place));
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
    const pending = pendingIn(content);
    if (pending.length > 0) return this.wait(place, pending, at);
    const bringBack = () => this.bringBack(content, place);
    const sent =
      at !== undefined
        ? await sendLater(place, content, at, bringBack)
        : runSlash(content) || sendNow(place, content);
    if (!sent) return;
    this.box?.sent(content, place, sent === true ? undefined : sent.kept);
    shelf.peek()?.uploads.forgetRefused();
    isSaved.value = undefined;
    this.isPreviewing.value = false;
    aim.value = undefined;
    if (sent !== true) follow(place, sent.outgoing);
    editor.node.focus();
  }

  /** Until the files are there, if they ever come from here. */
  private async wait(place: Place, pending: string[], at: number | undefined): Promise<void> {
    const key = placeKey(place);
    hold(key, { at, send: (text) => void sendHeld(place, text, at) });
    if (await shelf.peek()?.uploads.hasAll(pending)) return;
    if (release(key)) showToast({ words: say("upload-elsewhere"), isAlert: true });
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
    if (!isSame(to, this.place)) aim.value = aimOf(to);
    const undo = this.box?.replace(words);
    if (before.trim() !== "" && undo) showToast({ words: say("text-replaced"), undo });
    this.focus();
  }

  attach(files: readonly File[]): void {
    const uploads = shelf.peek()?.uploads;
    const held = uploads?.add(files) ?? "";
    if (held !== "") this.insert(held);
  }

  /** An upload is done: says whether its place was held here. */
  placed(placeholder: string, words: string): boolean {
    const { editor, place } = this;
    if (!editor?.node.value.includes(placeholder)) return false;
    const key = place && placeKey(place);
    const wait = key === undefined ? undefined : release(key);
    putWords(editor.node, placeIn(editor.node.value, placeholder, words), words);
    // Without its file, the message is incomplete.
    if (!wait || words === "") return true;
    if (pendingIn(editor.node.value).length === 0) void this.submit(wait.at);
    else hold(key!, wait);
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

const isSame = (a: Place | undefined, b: Place | undefined) =>
  JSON.stringify(a) === JSON.stringify(b);

function aimOf(place: Place): Aim {
  return "user_ids" in place
    ? { kind: "direct", user_ids: place.user_ids, isNew: false }
    : { kind: "channel", ...place, isNew: false };
}
