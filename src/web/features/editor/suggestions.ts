// Suggestions for the word before the caret.
import { signal } from "@preact/signals";
import { getState } from "../../store/store.ts";
import { renderer } from "../../render/loading.ts";
import type { ConversationRef } from "../../views.ts";
import { recordEmojiUse } from "../emoji/state.ts";
import { suggester } from "../typeahead/suggester.ts";
import { type Edit, replaceSelection, type EditorText } from "./edit-rules.ts";
import { itemAt } from "../../content/item-at.ts";
import type { EditorHandle } from "./edit-rules.ts";
import { apply, selectedIn } from "./text-area-edits.ts";
import { loadFor } from "../typeahead/load.ts";
import { caretOffset } from "../../ui/form/text-area.ts";
import type { Suggestion } from "../typeahead/suggestion.ts";
import { type Trigger, triggerAt } from "../typeahead/trigger.ts";

interface ShownProposals {
  trigger: Trigger;
  suggestions: readonly Suggestion[];
  active: number;
  /** Distance of the word from the start of the area, in pixels. */
  offset: number;
}

export class EditorSuggestions implements EditorHandle {
  readonly shown = signal<ShownProposals | undefined>(undefined);
  /** Suggests users of this conversation first. */
  conversation: ConversationRef | undefined;
  /** Start of the word whose suggestions were dismissed. */
  private dismissed: number | undefined;
  /** Start of the last typed word, the only one for which languages are suggested. */
  private typed: number | undefined;

  constructor(private readonly area: () => HTMLTextAreaElement) {}

  get node(): HTMLTextAreaElement {
    return this.area();
  }

  content(): EditorText {
    return selectedIn(this.node);
  }

  apply(edit: Edit): void {
    apply(this.node, edit);
  }

  /** Called after each change of the text or caret. */
  update(isTyped = false): void {
    const { text, start, end } = this.content();
    const isHere = document.activeElement === this.node && start === end;
    const match = isHere ? triggerAt(text, start) : undefined;
    if (isTyped || match?.start !== this.typed) this.typed = isTyped ? match?.start : undefined;
    // An existing fence has its language already.
    const trigger = match?.kind === "code" && this.typed === undefined ? undefined : match;
    if (trigger?.start !== this.dismissed) this.dismissed = undefined;
    if (trigger && this.dismissed === undefined) {
      void loadFor(trigger)?.then(() => this.node?.isConnected && this.update());
    }
    const tables = renderer.peek()?.tables;
    const suggestions =
      trigger && this.dismissed === undefined
        ? suggester.suggest(trigger, getState(), this.conversation, tables)
        : [];
    if (!trigger || suggestions.length === 0) this.shown.value = undefined;
    else {
      // The word starts at the same position as before, so no layout is needed.
      const before = this.shown.peek();
      const isSame = before?.trigger.start === trigger.start;
      const offset = isSame ? before.offset : caretOffset(this.node, trigger.start);
      this.shown.value = { trigger, suggestions, active: 0, offset };
    }
  }

  /** A row that is rendered again has not lost the focus. */
  onBlur(): void {
    if (!this.node?.matches(":focus")) this.shown.value = undefined;
  }

  choose(suggestion: Suggestion): void {
    const { insertion: words } = suggestion;
    if (suggestion.kind === "emoji") {
      const { code, name, url } = suggestion;
      recordEmojiUse(code, url === undefined ? name : undefined);
    }
    const proposals = this.shown.peek();
    if (!proposals) return;
    const { trigger } = proposals;
    const { text, start } = this.content();
    // The suggestion may end with a space that the text already has.
    const trailingSpace = words.endsWith(" ") && text[start] === " " ? 1 : 0;
    this.apply(replaceSelection({ start: trigger.start, end: start + trailingSpace }, words));
    this.shown.value = undefined;
  }

  /** Returns whether the list handled the key. */
  handleKey(name: string): boolean {
    const current = this.shown.value;
    if (!current) return false;
    const { suggestions, active } = current;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[name];
    if (step !== undefined) {
      const to = (active + step + suggestions.length) % suggestions.length;
      this.shown.value = { ...current, active: to };
    } else if (name === "Enter" || name === "Tab") this.choose(itemAt(suggestions, active));
    else if (name === "Escape") {
      this.dismissed = current.trigger.start;
      this.shown.value = undefined;
    } else return false;
    return true;
  }
}
