// Remembers the draft texts that this page has written or seen, because events may arrive late.

/** Maximum of remembered texts per draft. */
const TEXTS_MAX = 50;
const VERSIONS_MAX = 1000;

export class OwnTexts {
  private readonly texts = new Map<string, Set<string>>();
  /** Texts that were sent or discarded, and when. */
  private readonly over = new Map<string, { texts: Set<string>; at: number }>();
  /** The last text of each draft that the server received. */
  private readonly onServer = new Map<string, string>();
  /** When each version of a draft was written to disk, where other tabs read it. */
  private readonly versions = new Map<string, Set<number>>();

  /** Ids that this tab has added; their events may still be to come. */
  private readonly added = new Set<number>();

  /** The topics that drafts had before they were moved, by the drafts' ids. */
  private readonly formerKeys = new Map<number, string>();

  addId(draft_id: number): void {
    this.added.add(draft_id);
  }

  /** Whether the event of a draft that this tab has added is still to come. */
  isPending(draft_id: number | undefined, newest: number): boolean {
    if (draft_id === undefined) return false;
    if (draft_id <= newest) this.added.delete(draft_id);
    return this.added.has(draft_id);
  }

  recordText(key: string, text: string): void {
    const texts = this.texts.get(key) ?? new Set();
    this.texts.set(key, texts.add(text.trim()));
    if (texts.size > TEXTS_MAX) texts.delete(texts.keys().next().value!);
  }

  noteVersion(key: string, changed: number): void {
    const versions = this.versions.get(key) ?? new Set();
    this.versions.set(key, versions.add(changed));
    if (versions.size > VERSIONS_MAX) versions.delete(versions.keys().next().value!);
  }

  takeVersions(key: string): Set<number> {
    const versions = this.versions.get(key);
    this.versions.delete(key);
    return versions ?? new Set();
  }

  /** Whether this browser wrote or saw the text. Any other text comes from another client. */
  has(key: string, text: string): boolean {
    return text.trim() === "" || this.texts.get(key)?.has(text.trim()) === true;
  }

  broadcast(key: string, text: string): void {
    this.recordText(key, text);
    this.onServer.set(key, text.trim());
  }

  /** The last text that was sent to the server, perhaps without a response. */
  sentText = (key: string): string | undefined => this.onServer.get(key);

  /** Whether the server's current text is the last one that it received from this browser. */
  isOnServer(key: string, text: string, serverText: string): boolean {
    return [serverText.trim(), this.onServer.get(key)].includes(text.trim());
  }

  formerKey = (draft_id: number): string | undefined => this.formerKeys.get(draft_id);

  noteFormerKey(draft_id: number, key: string): void {
    this.formerKeys.set(draft_id, key);
  }

  /** Called when a topic is renamed or moved: transfers the texts and versions of its drafts. */
  moveTexts(from: string, to: string): void {
    for (const text of this.texts.get(from) ?? []) {
      this.recordText(to, text);
      this.over.get(to)?.texts.delete(text);
    }
    for (const version of this.takeVersions(from)) this.noteVersion(to, version);
    const sent = this.onServer.get(from);
    if (sent !== undefined) this.onServer.set(to, sent);
    this.onServer.delete(from);
  }

  /** Called when the text is typed again, even if a draft with the same text has ended. */
  begin(key: string, text: string): void {
    this.over.get(key)?.texts.delete(text.trim());
  }

  /**
   * Records that a draft has ended. `text` may be another client's. Until that draft is deleted, it
   * must not be opened again.
   */
  end(key: string, at: number, text = ""): void {
    const texts = new Set(this.texts.get(key)).add(this.onServer.get(key) ?? "").add(text.trim());
    this.over.set(key, { texts, at });
  }

  /** Records texts that an earlier page or another tab has sent or discarded. */
  endDraftAt(key: string, texts: readonly string[], at: number): void {
    for (const text of texts) this.recordText(key, text);
    const before = this.over.get(key)?.texts ?? [];
    this.over.set(key, { texts: new Set([...before, ...texts.map((text) => text.trim())]), at });
  }

  /** `changed`: when the draft was written, in milliseconds. */
  isOver(key: string, text: string, changed: number): boolean {
    const expired = this.over.get(key);
    return expired !== undefined && changed <= expired.at && expired.texts.has(text.trim());
  }
}
