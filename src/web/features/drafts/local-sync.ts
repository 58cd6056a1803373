// Drafts as this browser stores them, and the messages about them between tabs.
import type { StoredDraftRow } from "../../sync/personal-database.ts";
import type { ConversationRef } from "../../views.ts";

export type StoredDraft = StoredDraftRow;

/** Combines the server's drafts, except ended ones, with drafts that only this browser has. */
export function mergeDrafts<Shared extends { readonly id: number }>(
  shared: ReadonlyMap<number, Shared>,
  local: readonly StoredDraft[],
): { shared: Shared[]; own: StoredDraft[] } {
  const isEmpty = ({ text }: StoredDraft) => text.trim() === "";
  const emptied = new Set(
    local
      .filter((draft) => isEmpty(draft) && draft.text !== draft.synced)
      .map(({ draft_id }) => draft_id),
  );
  const isShared = ({ draft_id }: StoredDraft) => draft_id !== undefined && shared.has(draft_id);
  return {
    shared: [...shared.values()].filter(({ id }) => !emptied.has(id)),
    own: local.filter((draft) => !isEmpty(draft) && !isShared(draft)),
  };
}

/** A draft that was sent or discarded in a tab. */
export interface DraftEnd {
  readonly key: string;
  /** The latest text of the draft. */
  readonly text: string;
  /** When each of its earlier versions was written. */
  readonly versions: ReadonlySet<number>;
  /** The time in milliseconds since 1970. */
  readonly at: number;
  /** The empty draft that remains until the server has deleted it. */
  readonly rest: StoredDraft | undefined;
}

/** Whether the draft in this tab or on disk is the one that ended. */
export function isEnded({ text, versions, at }: DraftEnd, row: StoredDraftRow): boolean {
  return versions.has(row.changed) || (row.changed <= at && row.text.trim() === text.trim());
}

/** Returns the drafts of this tab that end too, including several of one conversation. */
export function allEnded(
  ended: DraftEnd,
  drafts: readonly StoredDraft[],
  keyOf: (conversation: ConversationRef) => string,
): StoredDraft[] {
  return drafts
    .filter(({ place, to }) => place === ended.key || (to && keyOf(to) === ended.key))
    .filter((draft) => draft.text !== "" && isEnded(ended, draft));
}

/** The other tabs of this user. */
export interface Tabs {
  send(ended: DraftEnd): void;
  onMessage(take: (ended: DraftEnd) => void): void;
}

/** Callbacks for changes of drafts. */
export interface Hooks {
  /** Called when everything typed was stored on disk, or is not stored any more. */
  onSaved?(isSaved: boolean): void;
  /** Called when a draft was deleted or saved to the server, without typing. */
  changed?(): void;
  /** Called when another client wrote a different text; both are kept. */
  onConflict?(): void;
  readonly tabs?: Tabs;
}
