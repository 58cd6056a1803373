// A draft as this browser keeps it, and what its tabs tell each other of one.
import type { KeptDraft } from "../../sync/kept.ts";
import type { Place } from "../../views.ts";

export interface StoredDraft extends KeptDraft {
  /** Undefined while one has not said where it goes. */
  readonly to: Place | undefined;
  /** Its id at the server, if it is there. */
  readonly draft_id: number | undefined;
  /** The text that the server has. */
  readonly synced: string | undefined;
}

/** Combines the server's drafts, except ended ones, with drafts that only this browser has. */
export function draftsLeft<Shared extends { readonly id: number }>(
  shared: ReadonlyMap<number, Shared>,
  local: readonly StoredDraft[],
): { shared: Shared[]; own: StoredDraft[] } {
  const isEmpty = ({ text }: StoredDraft) => text.trim() === "";
  const emptied = new Set(
    local.filter((one) => isEmpty(one) && one.text !== one.synced).map(({ draft_id }) => draft_id),
  );
  const isShared = ({ draft_id }: StoredDraft) => draft_id !== undefined && shared.has(draft_id);
  return {
    shared: [...shared.values()].filter(({ id }) => !emptied.has(id)),
    own: local.filter((one) => !isEmpty(one) && !isShared(one)),
  };
}

/** A draft that was sent or discarded in a tab. */
export interface Ended {
  readonly key: string;
  /** The last that it was. */
  readonly text: string;
  /** When each was written that it was before. */
  readonly versions: ReadonlySet<number>;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Empty, until the server has heard of it. */
  readonly rest: StoredDraft | undefined;
}

/** Whether the draft in this tab or on disk is the one that ended. */
export function isEnded({ text, versions, at }: Ended, row: KeptDraft): boolean {
  return versions.has(row.changed) || (row.changed <= at && row.text.trim() === text.trim());
}

/** Which drafts of this tab end with it, including those beside another. */
export function alsoEnded(
  ended: Ended,
  drafts: readonly StoredDraft[],
  keyOf: (place: Place) => string,
): StoredDraft[] {
  return drafts
    .filter(({ place, to }) => place === ended.key || (to && keyOf(to) === ended.key))
    .filter((draft) => draft.text !== "" && isEnded(ended, draft));
}

/** The other tabs of this person. */
export interface Tabs {
  tell(ended: Ended): void;
  hear(take: (ended: Ended) => void): void;
}

/** Callbacks for changes of drafts. */
export interface Around {
  /** Called when all that was typed is on the disk, or is not any more. */
  saved?(isSaved: boolean): void;
  /** Called when one goes, or the server has it: nothing was typed. */
  changed?(): void;
  /** Called when somebody wrote another text in the same place; both are kept. */
  clashed?(): void;
  readonly tabs?: Tabs;
}
