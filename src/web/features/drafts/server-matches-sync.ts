// Finds the draft of the server that belongs to a draft of this browser.
import type { ConversationRef } from "../../views.ts";
import type { StoredDraft } from "./local-sync.ts";
import type { OwnTexts } from "./own-texts-sync.ts";
import type { ServerDraft, ServerDrafts } from "./server-sync.ts";

export class ServerMatches {
  constructor(
    private readonly shared: ServerDrafts,
    private readonly own: OwnTexts,
    private readonly known: ReadonlyMap<string, StoredDraft>,
    private readonly keyOf: (place: ConversationRef) => string,
  ) {}

  /** The server's drafts of a conversation that were not sent, deleted or moved here. */
  draftsAt(key: string): ServerDraft[] {
    return this.shared.drafts().filter(({ id, to, content, changed }) => {
      const isHere = this.keyOf(to) === key && this.own.formerKey(id) !== key;
      return isHere && !this.own.isOver(key, content, changed);
    });
  }

  /** All drafts of a conversation with a text, here or on the server. */
  allAt(key: string): StoredDraft[] {
    const own = [...this.known.values()].filter(
      ({ to, text }) => to && text.trim() !== "" && this.keyOf(to) === key,
    );
    const ids = new Set([...this.known.values()].map(({ draft_id }) => draft_id));
    const others = this.shared.isOn() ? this.draftsAt(key) : [];
    const isMain = !own.some(({ place }) => place === key);
    const theirs = others
      .filter(({ id }) => !ids.has(id))
      .sort((a, b) => b.changed - a.changed)
      .map(({ id, to, content, changed }, index) => ({
        place: isMain && index === 0 ? key : `${key} ${id}`,
        ...{ to, text: content, changed, draft_id: id, synced: content },
      }));
    return [...own, ...theirs];
  }

  /** The server's draft with this id, or the newest of the conversation. */
  draftAt(key: string, id: number | undefined): ServerDraft | undefined {
    const all = this.draftsAt(key);
    return all.find((one) => one.id === id) ?? all.sort((a, b) => b.changed - a.changed)[0];
  }

  /** Whether an event is older than the response to this tab's last change. */
  isLate(own: StoredDraft, theirs: ServerDraft | undefined): boolean {
    const { draft_id = -1, place, changed } = own;
    if (theirs?.id !== draft_id) return this.isPending(draft_id, own);
    return theirs.changed <= changed && this.own.has(place, theirs.content);
  }

  /** Whether the event that creates the draft, or moves it to its topic, has not arrived yet. */
  private isPending(draft_id: number, { to, changed }: StoredDraft): boolean {
    const listed = this.shared.drafts().find(({ id }) => id === draft_id);
    // An earlier page may have moved the draft.
    const isMoving =
      listed &&
      to &&
      this.keyOf(listed.to) !== this.keyOf(to) &&
      (listed.changed <= changed || this.own.formerKey(draft_id) === this.keyOf(listed.to));
    return isMoving || this.own.isPending(draft_id, this.shared.newest());
  }

  /** If the response was lost, finds the draft by its text among those without a row. */
  idOf({ place, text, draft_id }: StoredDraft): number | undefined {
    const ids = new Set([...this.known.values()].map((one) => one.draft_id));
    const lost = this.shared.drafts().find(({ id, to, content }) => {
      return !ids.has(id) && this.keyOf(to) === place && this.own.isOnServer(place, content, text);
    });
    return draft_id ?? lost?.id;
  }
}
