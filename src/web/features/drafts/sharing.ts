// The server's side of drafts: what other clients of the same person have begun.
import type { Place } from "../../views.ts";

/** A draft as another client of the same person sees it. */
export interface SharedDraft {
  readonly id: number;
  readonly to: Place;
  readonly content: string;
  /** When it was last changed, in milliseconds since 1970. */
  readonly changed: number;
}

/** The server's side; every call may fail, and is made again with the next change. */
export interface Sharing {
  /** Whether the person shares drafts among clients. */
  isOn(): boolean;
  /** Whether what it has is known now, so that nothing unseen is overwritten. */
  isCurrent(): boolean;
  drafts(): readonly SharedDraft[];
  add(to: Place, content: string, changed: number): Promise<number>;
  edit(id: number, to: Place, content: string, changed: number): Promise<void>;
  remove(id: number): Promise<void>;
}
