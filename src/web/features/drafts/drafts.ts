// What is begun and not sent: on the disk at each pause, at the server a little later.
import type { World } from "../../api/ask.ts";
import type { KeptDraft } from "../../sync/kept.ts";
import type { Rows } from "../../sync/rows.ts";
import type { Place } from "../../views.ts";

const DISK_MS = 300;
const SERVER_MS = 2000;

export interface StoredDraft extends KeptDraft {
  /** Undefined while one has not said where it goes. */
  readonly to: Place | undefined;
  /** Its id at the server, if it is there. */
  readonly draft_id: number | undefined;
  /** What the server has of it. */
  readonly synced: string | undefined;
}

/** A draft as another client of the same person sees it. */
export interface SharedDraft {
  readonly id: number;
  readonly to: Place;
  readonly content: string;
  /** Milliseconds. */
  readonly changed: number;
}

/** The server's side; every call may fail, and is made again with the next change. */
export interface Sharing {
  /** Whether the person shares drafts among clients. */
  isOn(): boolean;
  drafts(): readonly SharedDraft[];
  add(to: Place, content: string, changed: number): Promise<number>;
  edit(id: number, to: Place, content: string, changed: number): Promise<void>;
  remove(id: number): Promise<void>;
}

/** Drafts by the conversation's key. */
export class Drafts {
  private readonly known = new Map<string, StoredDraft>();
  private readonly dirty = new Set<string>();
  private cancelDisk: (() => void) | undefined;
  private cancelServer: (() => void) | undefined;
  private sharing: Promise<void> = Promise.resolve();

  constructor(
    private readonly rows: Rows<KeptDraft>,
    private readonly shared: Sharing,
    private readonly world: World,
    private readonly keyOf: (place: Place) => string,
    /** Called when all that was typed is on the disk, or is not any more. */
    private readonly saved: (isSaved: boolean) => void = () => {},
  ) {}

  async load(): Promise<void> {
    for (const row of await this.rows.all()) {
      if (!this.dirty.has(row.place)) this.known.set(row.place, row as StoredDraft);
    }
  }

  /** What was begun there, here or in another client; the later of the two. */
  of(key: string): StoredDraft | undefined {
    const own = this.known.get(key);
    if (!this.shared.isOn()) return own;
    const theirs = this.shared.drafts().find(({ to }) => this.keyOf(to) === key);
    if (own?.draft_id !== undefined && theirs === undefined && own.text === own.synced) {
      // Another client has sent it, or thrown it away.
      this.known.delete(key);
      void this.rows.delete(key);
      return undefined;
    }
    if (!theirs || (own && own.text !== own.synced && own.changed >= theirs.changed)) return own;
    const { id, to, content, changed } = theirs;
    return { place: key, to, text: content, changed, draft_id: id, synced: content };
  }

  /** Is this text what was last typed here, not yet at the server? */
  isOwn(key: string, text: string): boolean {
    const own = this.known.get(key);
    return own?.text === text && own.text !== own.synced;
  }

  get all(): StoredDraft[] {
    return [...this.known.values()].filter(({ text }) => text.trim() !== "");
  }

  /** Typed: to the disk when a pause comes, to the server at a longer one. */
  change(key: string, to: Place | undefined, text: string): void {
    const before = this.of(key);
    if ((before?.text ?? "") === text) return;
    this.known.set(key, {
      place: key,
      to,
      text,
      changed: this.world.now(),
      draft_id: before?.draft_id,
      synced: before?.synced,
    });
    this.dirty.add(key);
    this.saved(false);
    this.cancelDisk?.();
    this.cancelDisk = this.world.after(DISK_MS, () => void this.flush());
    this.cancelServer?.();
    this.cancelServer = this.world.after(SERVER_MS, () => this.share());
  }

  /** It now goes elsewhere: the same text under another name. */
  move(from: string, key: string, to: Place | undefined, text: string): void {
    if (from === key) return;
    const moved = this.known.get(from);
    const there = this.of(key);
    // What was begun there is no one's to overwrite: it is kept beside.
    if (there && there.text.trim() !== "" && there.text !== text) this.keepBeside(there);
    if (text.trim() !== "") this.change(key, to, text);
    if (moved?.text === text) this.forget(from);
  }

  private keepBeside(draft: StoredDraft): void {
    const place = `${draft.place} ${draft.changed}`;
    const beside = { ...draft, place, draft_id: undefined, synced: undefined };
    this.known.set(place, beside);
    this.dirty.add(place);
  }

  /** It was sent, or thrown away on purpose. */
  forget(key: string): void {
    const draft = this.of(key);
    this.known.delete(key);
    this.dirty.delete(key);
    void this.rows.delete(key);
    const id = draft?.draft_id;
    if (id !== undefined && this.shared.isOn()) this.inLine(() => this.shared.remove(id));
  }

  /** Now, as the page may go. */
  async flush(): Promise<void> {
    this.cancelDisk?.();
    const keys = [...this.dirty];
    this.dirty.clear();
    const writes = keys.map((key) => {
      const draft = this.known.get(key);
      return draft === undefined || (draft.text.trim() === "" && draft.draft_id === undefined)
        ? this.rows.delete(key)
        : this.rows.put(draft);
    });
    try {
      await Promise.all(writes);
    } catch {
      for (const key of keys) this.dirty.add(key);
      return;
    }
    if (this.dirty.size === 0) this.saved(true);
  }

  /** All that the server has otherwise. */
  share(): void {
    this.cancelServer?.();
    if (!this.shared.isOn()) return;
    for (const { place, text, synced } of [...this.known.values()]) {
      if (text !== (synced ?? "")) this.inLine(() => this.shareOne(place));
    }
  }

  private async shareOne(key: string): Promise<void> {
    const draft = this.known.get(key);
    if (!draft?.to || draft.text === (draft.synced ?? "")) return;
    const { to, text, changed, draft_id } = draft;
    const isKnown = this.shared.drafts().some(({ id }) => id === draft_id);
    if (text.trim() === "") {
      if (draft_id !== undefined && isKnown) await this.shared.remove(draft_id);
      return this.noteShared(key, undefined, undefined);
    }
    if (draft_id !== undefined && isKnown) await this.shared.edit(draft_id, to, text, changed);
    const id =
      draft_id !== undefined && isKnown ? draft_id : await this.shared.add(to, text, changed);
    // It was sent or thrown away while it was on its way.
    if (!this.known.has(key)) return this.shared.remove(id);
    this.noteShared(key, id, text);
  }

  private noteShared(key: string, draft_id: number | undefined, synced: string | undefined) {
    const draft = this.known.get(key);
    if (!draft) return;
    if (draft.text.trim() === "") this.known.delete(key);
    else this.known.set(key, { ...draft, draft_id, synced });
    this.dirty.add(key);
    void this.flush();
  }

  private inLine(step: () => Promise<void>): void {
    this.sharing = this.sharing.then(step).catch(() => undefined);
  }

  /** Resolves when what is on its way to the server is there, or was refused. */
  async settled(): Promise<void> {
    await this.sharing;
  }
}
