// Moves the drafts of a topic that is renamed or moved to another channel.
import type { StoredDraftRow } from "../../sync/personal-database.ts";
import type { Rows } from "../../sync/rows.ts";
import type { ConversationRef } from "../../views.ts";
import type { StoredDraft } from "./local-sync.ts";
import type { OwnTexts } from "./own-texts-sync.ts";
import type { ServerMatches } from "./server-matches-sync.ts";
import type { ServerDraft } from "./server-sync.ts";

export class MovedDrafts {
  /** The texts that the server had when the drafts were moved, by their new place. */
  private readonly synced = new Map<string, string>();
  private moving: Promise<void> = Promise.resolve();

  constructor(
    private readonly known: Map<string, StoredDraft>,
    /** Places whose texts are not on disk yet. */
    private readonly dirty: Set<string>,
    private readonly own: OwnTexts,
    private readonly matches: ServerMatches,
    private readonly rows: Rows<StoredDraftRow>,
    private readonly keyOf: (place: ConversationRef) => string,
  ) {}

  /**
   * The drafts keep their ids on the server, so that all clients make the same change. Returns
   * undefined without drafts; `isTyped`: the server does not have all texts.
   */
  follow(from: string, to: ConversationRef, isShown: boolean): { isTyped: boolean } | undefined {
    const key = this.keyOf(to);
    const drafts = key === from ? [] : this.matches.allAt(from);
    if (drafts.length === 0) return undefined;
    this.own.moveTexts(from, key);
    for (const draft of drafts) {
      const place = key + draft.place.slice(from.length);
      // If the moved draft is not in the composer, a draft that the topic already has keeps its
      // place, and the moved draft is stored beside it.
      const isTaken = !isShown && this.matches.allAt(key).some((one) => one.place === place);
      this.relocate(draft, isTaken ? `${place} ${draft.changed}` : place, to);
    }
    return { isTyped: drafts.some(({ text, synced }) => text !== synced) };
  }

  private relocate(draft: StoredDraft, place: string, to: ConversationRef): void {
    const [other, { place: before, text, draft_id }] = [this.known.get(place), draft];
    if (other && other.text !== other.synced && other.text !== text) {
      const beside = `${place} ${other.changed}`;
      this.known.set(beside, { ...other, place: beside });
      this.dirty.add(beside);
    }
    if (text === draft.synced) this.synced.set(place, text);
    if (draft_id !== undefined && draft.to) this.own.noteFormerKey(draft_id, this.keyOf(draft.to));
    this.known.delete(before);
    this.known.set(place, { ...draft, place, to, synced: undefined });
    for (const known of [text, draft.synced ?? ""]) this.own.recordText(place, known);
    if (!this.dirty.delete(before)) {
      // The topic may move on before its row is stored.
      this.moving = this.moving.then(() => this.moveRow(before, place, to)).catch(() => undefined);
      return;
    }
    this.dirty.add(place);
    void this.rows.delete(before, (row) => this.own.has(place, row.text));
  }

  /** Moves the row as it is on disk, where another tab may have stored a newer text. */
  private async moveRow(from: string, place: string, to: ConversationRef): Promise<void> {
    const row = (await this.rows.all()).find((one) => one.place === from);
    if (!row) return;
    await this.rows.put({ ...row, place, to, synced: undefined });
    await this.rows.delete(from, ({ changed }) => changed === row.changed);
  }

  has = (id: number): boolean => [...this.known.values()].some(({ draft_id }) => draft_id === id);

  /** Whether another client has already moved the draft, and its text was not changed here. */
  isDone({ place, text, to }: StoredDraft, shared: ServerDraft): boolean {
    const isThere = to !== undefined && this.keyOf(shared.to) === this.keyOf(to);
    return isThere && this.synced.get(place) === text;
  }
}
