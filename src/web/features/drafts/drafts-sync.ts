// Drafts: stored on disk at each pause, and on the server a little later.
import type { Runtime } from "../../api/runtime.ts";
import type { StoredDraftRow } from "../../sync/personal-database.ts";
import type { Rows } from "../../sync/rows.ts";
import type { ConversationRef } from "../../views.ts";
import { DraftCreation } from "./creation-sync.ts";
import { isEdit } from "./edits-sync.ts";
import { MovedDrafts } from "./moved-drafts-sync.ts";
import { OwnTexts } from "./own-texts-sync.ts";
import { ServerMatches } from "./server-matches-sync.ts";
import type { ServerDrafts } from "./server-sync.ts";
import { allEnded, type DraftEnd, type Hooks, isEnded, type StoredDraft } from "./local-sync.ts";

const DISK_MS = 300;
const SERVER_MS = 2000;
/** If two clients type within this time, neither overwrites the other's text. */
const TOGETHER_MS = 60_000;

/** Drafts by the conversation's key. */
export class Drafts {
  private readonly known = new Map<string, StoredDraft>();
  private readonly dirty = new Set<string>();
  private readonly own = new OwnTexts();
  private readonly creation: DraftCreation;
  private readonly matches: ServerMatches;
  private readonly moves: MovedDrafts;
  private readonly typedAt = new Map<string, number>();
  private cancelDisk: (() => void) | undefined;
  private cancelServer: (() => void) | undefined;
  private sharing: Promise<void> = Promise.resolve();
  /** Texts by place that wait for the server. A second request could come before a late event. */
  private readonly waiting = new Map<string, string>();

  constructor(
    private readonly rows: Rows<StoredDraftRow>,
    private readonly shared: ServerDrafts,
    private readonly runtime: Runtime,
    private readonly keyOf: (place: ConversationRef) => string,
    private readonly hooks: Hooks = {},
  ) {
    this.creation = new DraftCreation(shared, keyOf);
    this.matches = new ServerMatches(shared, this.own, this.known, keyOf);
    this.moves = new MovedDrafts(this.known, this.dirty, this.own, this.matches, rows, keyOf);
    hooks.tabs?.onMessage((ended) => this.endedElsewhere(ended));
  }

  async load(): Promise<void> {
    for (const row of await this.rows.all()) {
      if (isEdit(row)) continue;
      const { to, synced = "" } = row;
      if (to && row.text === "") this.own.endDraftAt(this.keyOf(to), [synced], row.changed);
      this.own.noteVersion(row.place, row.changed);
      if (row.tried !== undefined) this.own.broadcast(row.place, row.tried);
      if (!this.dirty.has(row.place)) this.put(row);
    }
  }

  private put(draft: StoredDraft): StoredDraft {
    this.known.set(draft.place, draft);
    this.own.recordText(draft.place, draft.text);
    // The server's text of a draft must not be mistaken for another client's change.
    this.own.recordText(draft.place, draft.synced ?? "");
    return draft;
  }

  /** The draft of a place, from here or from another client. Unshared ones come first. */
  of(key: string): StoredDraft | undefined {
    const own = this.known.get(key);
    if (!this.shared.isOn() || (own && own.text !== own.synced)) return own;
    const theirs = this.matches.draftAt(key, own?.draft_id);
    if (own && this.matches.isLate(own, theirs)) return own;
    if (own?.draft_id !== undefined && theirs?.id !== own.draft_id) {
      // Another client has sent or discarded the draft, so its text is removed from the field, too.
      this.own.endDraftAt(key, [own.text], own.changed);
      this.drop(key);
    }
    if (!theirs) return own?.draft_id === undefined ? own : undefined;
    const { id, to, content, changed } = theirs;
    return { place: key, to, text: content, changed, draft_id: id, synced: content };
  }

  /** Whether the text was last typed here and is not yet on the server. */
  isOwn(key: string, text: string): boolean {
    const own = this.known.get(key);
    return own?.text === text && own.text !== own.synced;
  }

  /** Whether the draft with this text was sent or deleted, here or in another tab. */
  isOver = (key: string, text: string): boolean => this.own.isOver(key, text, 0);

  /** Includes empty drafts that the server must still delete. */
  all(): StoredDraft[] {
    for (const key of this.known.keys()) this.of(key);
    return [...this.known.values()].map((one) => ({ ...one, draft_id: this.matches.idOf(one) }));
  }

  /** Saves typed text to disk after a short pause, and to the server after a longer one. */
  change(key: string, to: ConversationRef | undefined, text: string): void {
    const before = this.of(key);
    this.own.begin(key, text);
    if ((before?.text ?? "") === text) return;
    if (before) this.own.recordText(key, before.text);
    this.put({ ...before, place: key, to, text, changed: this.runtime.now() });
    this.dirty.add(key);
    this.typedAt.set(key, this.runtime.now());
    this.hooks.onSaved?.(false);
    this.cancelDisk?.();
    this.cancelDisk = this.runtime.after(DISK_MS, () => void this.flush());
    this.cancelServer?.();
    this.cancelServer = this.runtime.after(SERVER_MS, () => this.share());
  }

  /** Moves the draft to another target. `from` is undefined for a text that is no draft yet. */
  move(from: string | undefined, key: string, to: ConversationRef | undefined, text: string): void {
    if (from === key) return;
    const moved = from === undefined ? undefined : this.known.get(from);
    const other = this.of(key);
    // A draft that the new target already has is not overwritten, but kept as a separate draft.
    if (other && other.text.trim() !== "" && other.text !== text) this.keepBeside(other);
    if (text.trim() !== "") this.change(key, to, text);
    if (from !== undefined && moved?.text === text) this.forget(from);
  }

  /** Moves the draft of a renamed or moved topic. `isShown`: the draft is in the composer. */
  follow(from: string, to: ConversationRef, isShown: boolean): void {
    // `of` drops a draft that another client has already moved.
    void this.of(from);
    const moved = this.moves.follow(from, to, isShown);
    if (!moved) return;
    void this.flush();
    this.cancelServer?.();
    // The client with the newest text sends it first.
    this.cancelServer = this.runtime.after(moved.isTyped ? 0 : SERVER_MS, () => this.share());
    this.hooks.changed?.();
  }

  keepBeside(draft: StoredDraft): StoredDraft {
    const place = `${draft.place} ${draft.changed}`;
    this.dirty.add(place);
    return this.put({ ...draft, place, draft_id: undefined, synced: undefined });
  }

  /** Keeps a text that was typed here as a draft before the field shows another text. */
  moveAside(key: string, to: ConversationRef | undefined, text: string): void {
    const at = this.typedAt.get(key);
    if (at === undefined || this.runtime.now() - at > TOGETHER_MS || text.trim() === "") return;
    this.typedAt.delete(key);
    this.keepBeside({ place: key, to, text, changed: at, draft_id: undefined, synced: undefined });
    void this.flush();
    this.share();
    this.hooks.onConflict?.();
  }

  /** Chooses one of several drafts of a place. The others stay in the list. */
  choose(key: string, draft: StoredDraft): void {
    const other = this.of(key);
    if (other && other.text !== draft.text && other.text !== other.synced) this.keepBeside(other);
    if (draft.place !== key) this.drop(draft.place);
    this.put({ ...draft, place: key });
    this.dirty.add(key);
    void this.flush();
  }

  private drop(place: string, isIt?: (row: StoredDraftRow) => boolean): void {
    this.known.delete(place);
    this.dirty.delete(place);
    void this.rows.delete(place, isIt);
  }

  /** Removes a sent or discarded draft. Until `stored` resolves, it stays on disk. */
  forget(key: string, stored?: Promise<void>): void {
    const [draft, at, versions] = [this.of(key), this.runtime.now(), this.own.takeVersions(key)];
    this.known.delete(key);
    this.dirty.delete(key);
    this.own.end(key, at, draft?.text);
    const end = () => {
      const rest = draft && this.shared.isOn() ? this.takeFromServer(draft) : undefined;
      const ended = { key, text: draft?.text ?? "", versions, at, rest };
      // The conversation may have another draft by now, perhaps from another tab.
      if (!this.known.has(key)) void this.rows.delete(key, (row) => isEnded(ended, row));
      this.hooks.tabs?.send(ended);
      this.hooks.changed?.();
    };
    void (stored ? stored.then(end) : end());
  }

  /** Ends a draft that ended in another tab, unless it was started later or changed here. */
  private endedElsewhere(ended: DraftEnd): void {
    const { key, text, at, rest } = ended;
    const gone = allEnded(ended, [...this.known.values()], this.keyOf);
    for (const { place } of gone) this.drop(place, (row) => isEnded(ended, row));
    const texts = [...gone, rest].flatMap((one) => [one?.text ?? text, one?.synced ?? ""]);
    this.own.endDraftAt(key, texts, at);
    if (rest) this.put(rest);
  }

  /** Keeps an empty draft until the server has deleted it, because the network may be down. */
  private takeFromServer(draft: StoredDraft): StoredDraft | undefined {
    const draft_id = this.matches.idOf(draft);
    if (draft_id === undefined) return undefined;
    const place = `${draft.place} ${draft_id}`;
    const empty = { ...draft, place, text: "", changed: this.runtime.now() };
    this.rows.put(this.put(empty)).catch(() => undefined);
    this.inLine(() => this.shared.remove(draft_id).then(() => this.drop(place)));
    return empty;
  }

  /** Saves now, because the page may close. */
  async flush(): Promise<void> {
    this.cancelDisk?.();
    const keys = [...this.dirty];
    this.dirty.clear();
    try {
      await Promise.all(keys.map((key) => this.write(key)));
    } catch {
      for (const key of keys) this.dirty.add(key);
      return;
    }
    if (this.dirty.size === 0) this.hooks.onSaved?.(true);
  }

  /** Writes at once and compares afterwards, because the page may close. */
  private async write(key: string): Promise<void> {
    const draft = this.known.get(key);
    const isNone = !draft || (draft.text.trim() === "" && draft.draft_id === undefined);
    if (draft) this.own.noteVersion(key, draft.changed);
    const row = draft ?? { place: key, text: "", changed: 0 };
    const stored = await this.rows.exchange({ ...row, tried: this.own.sentText(key) });
    // Another tab has written there, and its text exists nowhere else.
    if (stored && stored.text !== stored["synced"] && !this.own.has(key, stored.text)) {
      this.own.recordText(key, stored.text);
      await this.rows.put(this.keepBeside(stored));
      this.hooks.onConflict?.();
    }
    if (isNone) await this.rows.delete(key);
  }

  /** Shares each text that differs from the server's. */
  share(): void {
    this.cancelServer?.();
    if (!this.shared.isOn() || !this.shared.isCurrent()) return;
    for (const { place, text, synced } of [...this.known.values()]) {
      if (text === (synced ?? "") || this.waiting.get(place) === text) continue;
      this.waiting.set(place, text);
      this.inLine(() => this.shareOne(place).finally(() => this.waiting.delete(place)));
    }
  }

  private async shareOne(key: string): Promise<void> {
    const draft = this.known.get(key);
    if (!this.shared.isCurrent() || !draft?.to || draft.text === (draft.synced ?? "")) return;
    const { to, text, changed } = draft;
    const draft_id = this.matches.idOf(draft);
    const shared = this.shared.drafts().find(({ id }) => id === draft_id);
    // Another client has already moved it, and may have changed it since.
    if (shared && this.moves.isDone(draft, shared)) {
      this.put({ ...draft, text: shared.content });
      return this.noteShared(key, shared.id, shared.content);
    }
    const isTheirs = shared !== undefined && !this.own.has(key, shared.content);
    if (isTheirs) {
      this.own.recordText(key, shared.content);
      this.hooks.onConflict?.();
    }
    // Another client changed it, so this becomes a new draft.
    const isPending = draft_id !== undefined && this.own.isPending(draft_id, this.shared.newest());
    const known_id = isPending || (shared && !isTheirs) ? draft_id : undefined;
    if (text.trim() === "") {
      // An event about the previous text may arrive later.
      this.own.end(key, this.runtime.now());
      if (known_id !== undefined) await this.shared.remove(known_id);
      return this.noteShared(key, undefined, undefined);
    }
    this.own.broadcast(key, text);
    const id = await this.creation.store(known_id, to, text, changed);
    // During the request, the draft was moved, sent or discarded.
    if (!this.known.has(key)) return this.moves.has(id) ? undefined : this.shared.remove(id);
    if (known_id === undefined) this.own.addId(id);
    this.noteShared(key, id, text);
  }

  private noteShared(key: string, draft_id: number | undefined, synced: string | undefined) {
    const draft = this.known.get(key);
    if (!draft) return;
    if (draft.text.trim() === "" && draft_id === undefined) this.known.delete(key);
    else this.known.set(key, { ...draft, draft_id, synced });
    this.hooks.changed?.();
    // During the request, the user deleted the text, so the draft is deleted on the server.
    if (draft.text.trim() === "" && draft_id !== undefined) this.inLine(() => this.shareOne(key));
    this.dirty.add(key);
    void this.flush();
  }

  private inLine(step: () => Promise<void>): void {
    this.sharing = this.sharing.then(step).catch(() => undefined);
  }

  /** Resolves when all requests in progress have succeeded or failed. */
  settled = (): Promise<void> => this.sharing;
}
