// Pending mutations in order, in memory and on disk.
import { signal } from "@preact/signals";
import type { MutationContext } from "./context.ts";
import { byOrder, Sequence } from "./serial-queue.ts";
import {
  isChange,
  isMessage,
  keyOf,
  type PendingChange,
  type PendingMessage,
  type PendingMutation,
} from "./types.ts";

export class PendingMutations {
  /** Changes with each change of the rows. */
  readonly revision = signal(0);
  private readonly rows = new Map<string, PendingMutation>();
  private readonly sequence = new Sequence();
  private readonly tab: string;
  private count = 0;
  /** New rows that are being written. */
  private readonly writing = new Set<string>();
  /** Rows that could not be stored. */
  private readonly unstored = new Set<string>();
  /** False if nothing can be stored, so that pending mutations are lost with the tab. */
  isStored = true;

  constructor(private readonly context: MutationContext) {
    this.tab = context.uniqueName();
  }

  /** Reads the rows of earlier pages and of other tabs. */
  async stored(): Promise<PendingMutation[]> {
    const { outbox, doings } = this.context;
    const stored = await Promise.all([outbox.all(), doings.all()]);
    const rows = stored.flat().sort(byOrder);
    for (const row of rows) this.sequence.record(row.order ?? 0);
    return rows;
  }

  restore(row: PendingMutation): void {
    this.rows.set(keyOf(row), row);
  }

  /** The identity of a new mutation: its key, and its place after all others. */
  next(): { key: string; made: number; order: number } {
    const { runtime } = this.context;
    return { key: this.nextKey(), made: runtime.now(), order: this.sequence.next() };
  }

  nextKey(): string {
    return `${this.tab}.${(this.count += 1)}`;
  }

  isOfThisTab(key: string): boolean {
    return key.startsWith(`${this.tab}.`);
  }

  all(): Iterable<PendingMutation> {
    return this.rows.values();
  }

  messages(): PendingMessage[] {
    return [...this.rows.values()].filter(isMessage);
  }

  changes(): PendingChange[] {
    return [...this.rows.values()].filter(isChange);
  }

  get(key: string): PendingMutation | undefined {
    return this.rows.get(key);
  }

  has(key: string): boolean {
    return this.rows.has(key);
  }

  isWriting(key: string): boolean {
    return this.writing.has(key);
  }

  /** Adds it to memory at once; resolves when the new row is stored, or storing has failed. */
  async add(row: PendingMutation): Promise<void> {
    const key = keyOf(row);
    this.writing.add(key);
    await this.put(row);
    this.writing.delete(key);
  }

  /** Replaces a row, unless this or another tab has finished or discarded it meanwhile. */
  async update(row: PendingMutation): Promise<void> {
    if (this.has(keyOf(row))) await this.put(row, true);
  }

  private async put(row: PendingMutation, isUpdate = false): Promise<void> {
    const key = keyOf(row);
    this.rows.set(key, row);
    this.revision.value++;
    const isStored = await this.write(row, isUpdate && !this.unstored.has(key)).then(
      () => true,
      () => false,
    );
    this.isStored = isStored;
    if (isStored) this.unstored.delete(key);
    else this.unstored.add(key);
  }

  /** Removes it from memory only, because another tab has finished it. */
  forget(key: string): void {
    this.rows.delete(key);
    this.revision.value++;
  }

  async delete(row: PendingMutation): Promise<void> {
    this.forget(keyOf(row));
    const { outbox, doings } = this.context;
    await (isMessage(row) ? outbox.delete(row.local_id) : doings.delete(row.key));
  }

  /** Whether it still waits. Another tab may have finished or replaced it. */
  async isThere(row: PendingMutation): Promise<boolean> {
    const key = keyOf(row);
    const isOnDisk = () => (isMessage(row) ? this.context.outbox : this.context.doings).has(key);
    const isStored = this.unstored.has(key) || (await isOnDisk().catch(() => true));
    return isStored && this.rows.has(key);
  }

  /** The changes of all tabs. */
  changesOnDisk(): Promise<PendingChange[]> {
    return this.context.doings.all().catch(() => []);
  }

  private write(row: PendingMutation, isUpdate: boolean): Promise<void> {
    const { outbox, doings } = this.context;
    if (isMessage(row)) return isUpdate ? outbox.update(row) : outbox.put(row);
    return isUpdate ? doings.update(row) : doings.put(row);
  }
}
