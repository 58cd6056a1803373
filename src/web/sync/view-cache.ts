// A tab's access to cached views: reads them, and stores what the tab displays.
import type { CachedViewRow, Cursor } from "./layout.ts";
import type { CachedViews } from "./cached-views.ts";

/** The window as the view provides it. The queue is added here. */
export type ViewToCache = Omit<CachedViewRow, "queue_id">;

export class ViewCache {
  /** Read together with the state, and valid until the state changes. */
  private first = new Map<string, CachedViewRow>();
  private keys = new Set<string>();

  constructor(
    private readonly place: () => Cursor | undefined,
    private readonly windows: () => Promise<CachedViews | undefined>,
  ) {}

  onStart(windows: readonly CachedViewRow[], keys: readonly string[]): void {
    this.first = new Map(windows.map((retained) => [retained.key, retained]));
    this.keys = new Set(keys);
  }

  /** Events arrived that the views read before do not include. */
  invalidate(): void {
    this.first.clear();
  }

  /** The cached view, if it is in memory and can be displayed immediately. */
  atOnce(key: string): CachedViewRow | undefined {
    const retained = this.first.get(key);
    this.first.delete(key);
    return retained;
  }

  canContain(key: string): boolean {
    return this.keys.has(key);
  }

  /** The cached view as of this tab's position. Undefined if there is none. */
  async find(key: string): Promise<CachedViewRow | undefined> {
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
  async store(toKeep: ViewToCache): Promise<boolean> {
    const at = this.place();
    if (!at) return false;
    this.keys.add(toKeep.key);
    const windows = await this.windows();
    if (!windows) return true;
    return windows.put({ ...toKeep, queue_id: at.queue_id }, at).catch(() => true);
  }
}
