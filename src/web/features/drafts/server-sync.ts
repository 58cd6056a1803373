// The server's drafts, which all clients of a user share.
import type { ConversationRef } from "../../views.ts";

/** A draft of the server. */
export interface ServerDraft {
  readonly id: number;
  readonly to: ConversationRef;
  readonly content: string;
  /** When it was last changed, in milliseconds since 1970. */
  readonly changed: number;
}

/** Requests to the server; each may fail, and is repeated with the next change. */
export interface ServerDrafts {
  /** Whether the user shares drafts between clients. */
  isOn(): boolean;
  /** Whether the server's drafts are up to date, so that unseen changes are not overwritten. */
  isCurrent(): boolean;
  drafts(): readonly ServerDraft[];
  /** Requests the list, which may have drafts whose events are still to come. */
  fetchAll(): Promise<readonly ServerDraft[]>;
  /**
   * The greatest draft id that the server has reported to this client, even if the draft was
   * deleted since.
   */
  newest(): number;
  add(to: ConversationRef, content: string, changed: number): Promise<number>;
  edit(id: number, to: ConversationRef, content: string, changed: number): Promise<void>;
  remove(id: number): Promise<void>;
}
