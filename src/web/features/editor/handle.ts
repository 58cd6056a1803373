// The interface of an open editor for other modules.
import type { Edit, Written } from "./edits.ts";

export interface EditorHandle {
  readonly node: HTMLTextAreaElement;
  written(): Written;
  apply(edit: Edit): void;
}
