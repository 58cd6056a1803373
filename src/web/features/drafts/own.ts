// Which texts of drafts this page has written or seen: what the server tells of them may be late.

/** Maximum of remembered texts per draft. */
const TEXTS_MAX = 50;
const VERSIONS_MAX = 1000;

export class OwnTexts {
  private readonly texts = new Map<string, Set<string>>();
  /** Texts that were sent or discarded, and when. */
  private readonly over = new Map<string, { texts: Set<string>; at: number }>();
  /** The texts that the server received last. */
  private readonly told = new Map<string, string>();
  /** When each was written that a draft was on the disk, where other tabs have it from. */
  private readonly versions = new Map<string, Set<number>>();

  note(key: string, text: string): void {
    const texts = this.texts.get(key) ?? new Set();
    this.texts.set(key, texts.add(text.trim()));
    if (texts.size > TEXTS_MAX) texts.delete(texts.values().next().value!);
  }

  noteVersion(key: string, changed: number): void {
    const versions = this.versions.get(key) ?? new Set();
    this.versions.set(key, versions.add(changed));
    if (versions.size > VERSIONS_MAX) versions.delete(versions.values().next().value!);
  }

  takeVersions(key: string): Set<number> {
    const versions = this.versions.get(key);
    this.versions.delete(key);
    return versions ?? new Set();
  }

  /** Any other text is another's. */
  has(key: string, text: string): boolean {
    return text.trim() === "" || this.texts.get(key)?.has(text.trim()) === true;
  }

  tell(key: string, text: string): void {
    this.told.set(key, text.trim());
  }

  /** The server was told this of it, last or by a page before this one: it is what stands there. */
  isTold(key: string, text: string, stands: string): boolean {
    return [stands.trim(), this.told.get(key)].includes(text.trim());
  }

  /** The text is typed anew, even if the same text ended before. */
  begin(key: string, text: string): void {
    this.over.get(key)?.texts.delete(text.trim());
  }

  end(key: string, at: number): void {
    const texts = new Set(this.texts.get(key)).add(this.told.get(key) ?? "");
    this.over.set(key, { texts, at });
  }

  /** As ended by an earlier page or another tab. */
  endAs(key: string, texts: readonly string[], at: number): void {
    for (const text of texts) this.note(key, text);
    const before = this.over.get(key)?.texts ?? [];
    this.over.set(key, { texts: new Set([...before, ...texts.map((text) => text.trim())]), at });
  }

  /** `changed`: when it was written, in milliseconds. */
  isOver(key: string, text: string, changed: number): boolean {
    const over = this.over.get(key);
    return over !== undefined && changed <= over.at && over.texts.has(text.trim());
  }
}
