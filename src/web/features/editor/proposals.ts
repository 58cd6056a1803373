// Suggestions for the word before the caret.
import { signal } from "@preact/signals";
import { now } from "../../live.ts";
import { renderer } from "../../render/loading.ts";
import type { Place } from "../../views.ts";
import { noteUsed } from "../emoji/recent.ts";
import { suggester } from "../typeahead/suggester.ts";
import { type Edit, put, type Written } from "./edits.ts";
import type { EditorHandle } from "./handle.ts";
import { apply, writtenIn } from "./field.ts";
import { loadFor } from "../typeahead/load.ts";
import { caretOffset } from "./measure.ts";
import type { Suggestion } from "../typeahead/suggestion.ts";
import { type Trigger, triggerAt } from "../typeahead/trigger.ts";

export interface Shown {
  trigger: Trigger;
  suggestions: readonly Suggestion[];
  active: number;
  /** Pixels to the word, from the start of the area. */
  offset: number;
}

export class Proposals implements EditorHandle {
  readonly shown = signal<Shown | undefined>(undefined);
  /** The people of this place are offered first. */
  place: Place | undefined;
  /** Start of the word whose suggestions were dismissed. */
  private dismissed: number | undefined;
  /** Start of the last typed word, the only one for which languages are suggested. */
  private typed: number | undefined;

  constructor(private readonly area: () => HTMLTextAreaElement) {}

  get node(): HTMLTextAreaElement {
    return this.area();
  }

  written(): Written {
    return writtenIn(this.node);
  }

  apply(edit: Edit): void {
    apply(this.node, edit);
  }

  /** After each change of the text or of the caret. */
  look(isTyped = false): void {
    const { text, start, end } = this.written();
    const isHere = document.activeElement === this.node && start === end;
    const found = isHere ? triggerAt(text, start) : undefined;
    if (isTyped || found?.start !== this.typed) this.typed = isTyped ? found?.start : undefined;
    // An existing fence has its language already.
    const trigger = found?.kind === "code" && this.typed === undefined ? undefined : found;
    if (trigger?.start !== this.dismissed) this.dismissed = undefined;
    if (trigger && this.dismissed === undefined) {
      void loadFor(trigger)?.then(() => this.node?.isConnected && this.look());
    }
    const tables = renderer.peek()?.tables;
    const suggestions =
      trigger && this.dismissed === undefined
        ? suggester.suggest(trigger, now(), this.place, tables)
        : [];
    if (!trigger || suggestions.length === 0) this.shown.value = undefined;
    else {
      // The word begins where it began at the key before: the page is not laid out to see that.
      const before = this.shown.peek();
      const isSame = before?.trigger.start === trigger.start;
      const offset = isSame ? before.offset : caretOffset(this.node, trigger.start);
      this.shown.value = { trigger, suggestions, active: 0, offset };
    }
  }

  /** A row that is rendered again has not lost the focus. */
  left(): void {
    if (!this.node?.matches(":focus")) this.shown.value = undefined;
  }

  choose(suggestion: Suggestion): void {
    const { put: words } = suggestion;
    if (suggestion.kind === "emoji") noteUsed(suggestion.code);
    const { trigger } = this.shown.peek()!;
    const { text, start } = this.written();
    // The suggestion may end with a space that is already there.
    const spare = words.endsWith(" ") && text[start] === " " ? 1 : 0;
    this.apply(put({ start: trigger.start, end: start + spare }, words));
    this.shown.value = undefined;
  }

  /** Says whether the press was for the list. */
  pressed(name: string): boolean {
    const current = this.shown.value;
    if (!current) return false;
    const { suggestions, active } = current;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[name];
    if (step !== undefined) {
      const to = (active + step + suggestions.length) % suggestions.length;
      this.shown.value = { ...current, active: to };
    } else if (name === "Enter" || name === "Tab") this.choose(suggestions[active]!);
    else if (name === "Escape") {
      this.dismissed = current.trigger.start;
      this.shown.value = undefined;
    } else return false;
    return true;
  }
}
