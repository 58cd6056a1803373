// Rows of one kind, on disk or in memory if the browser blocks storage.

/** The rows of one store. */
export interface Rows<T> {
  all(): Promise<T[]>;
  has(key: string): Promise<boolean>;
  put(row: T): Promise<void>;
  /** Replaces the row if its key exists, because another tab may have deleted it. */
  update(row: T): Promise<void>;
  /** Stores the row, and returns the previous one. */
  exchange(row: T): Promise<T | undefined>;
  /**
   * Rows that could not be deleted from disk appear again at the next start. `matches`
   * restricts deletion to rows that are unchanged.
   */
  delete(key: string, matches?: (row: T) => boolean): Promise<void>;
}
