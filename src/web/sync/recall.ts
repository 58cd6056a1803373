// A tab's hold on the views that are kept on the disk: reads them, and writes what it shows.
import type { KeptWindow, Place } from "./layout.ts";
import type { Windows } from "./windows.ts";

/** As the view provides it, without the queue, which is known here. */
export type ToKeep = Omit<KeptWindow, "queue_id">;

export class Recall {
  /** Read together with the state, and true as long as that has not gone on. */
  private first = new Map<string, KeptWindow>();
  private keys = new Set<string>();

  constructor(
    private readonly place: () => Place | undefined,
    private readonly windows: () => Promise<Windows | undefined>,
  ) {}

  started(windows: readonly KeptWindow[], keys: readonly string[]): void {
    this.first = new Map(windows.map((kept) => [kept.key, kept]));
    this.keys = new Set(keys);
  }

  /** Events came, which what was read before does not know. */
  passed(): void {
    this.first.clear();
  }

  /** The cached view, if it is in memory and can be painted with the rest. */
  atOnce(key: string): KeptWindow | undefined {
    const kept = this.first.get(key);
    this.first.delete(key);
    return kept;
  }

  mayHave(key: string): boolean {
    return this.keys.has(key);
  }

  /** The cached view as of this tab's position. Undefined if there is none. */
  async find(key: string): Promise<KeptWindow | undefined> {
    for (;;) {
      const { place } = this;
      const at = place();
      const windows = await this.windows();
      const kept = await windows?.open(key).catch(() => undefined);
      // If the position changed during the read, events may be missing from the result: read again.
      if (at === place()) return kept;
    }
  }

  /** False: it has to be tried again, once this tab has heard what the disk has. */
  async keep(kept: ToKeep): Promise<boolean> {
    const at = this.place();
    if (!at) return false;
    this.keys.add(kept.key);
    const windows = await this.windows();
    if (!windows) return true;
    return windows.put({ ...kept, queue_id: at.queue_id }, at).catch(() => true);
  }
}
