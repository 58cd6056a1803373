// A tab's access to cached views: reads them, and stores what the tab displays.
import type { KeptWindow, Cursor } from "./layout.ts";
import type { Windows } from "./cached-views.ts";

/** The window as the view provides it. The queue is added here. */
export type ToKeep = Omit<KeptWindow, "queue_id">;

export class Recall {
  /** Read together with the state, and valid until the state changes. */
  private first = new Map<string, KeptWindow>();
  private keys = new Set<string>();

  constructor(
    private readonly place: () => Cursor | undefined,
    private readonly windows: () => Promise<Windows | undefined>,
  ) {}

  started(windows: readonly KeptWindow[], keys: readonly string[]): void {
    this.first = new Map(windows.map((retained) => [retained.key, retained]));
    this.keys = new Set(keys);
  }

  /** Events arrived that the views read before do not include. */
  passed(): void {
    this.first.clear();
  }

  /** The cached view, if it is in memory and can be displayed immediately. */
  atOnce(key: string): KeptWindow | undefined {
    const retained = this.first.get(key);
    this.first.delete(key);
    return retained;
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
      const retained = await windows?.open(key).catch(() => undefined);
      // Events arrived during the read and may be missing, so it is read again.
      if (at === place()) return retained;
    }
  }

  /** False: must be retried when this tab has processed all cached events. */
  async keep(toKeep: ToKeep): Promise<boolean> {
    const at = this.place();
    if (!at) return false;
    this.keys.add(toKeep.key);
    const windows = await this.windows();
    if (!windows) return true;
    return windows.put({ ...toKeep, queue_id: at.queue_id }, at).catch(() => true);
  }
}
