// What others may do with an editor that is open.
import type { Edit, Written } from "./edits.ts";

export interface EditorHandle {
  readonly node: HTMLTextAreaElement;
  written(): Written;
  apply(edit: Edit): void;
}
