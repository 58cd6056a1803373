// Rows of one kind on a browser's disk, or in memory where it has none.

/** The rows of one store, in memory where the browser denies a disk. */
export interface Rows<T> {
  all(): Promise<T[]>;
  has(key: string): Promise<boolean>;
  put(row: T): Promise<void>;
  /** Puts it, and gives what was in its place. */
  exchange(row: T): Promise<T | undefined>;
  /**
   * Rows that a failed disk does not delete appear again at the next start. `isIt` restricts
   * deletion to rows that are still the same.
   */
  delete(key: string, isIt?: (row: T) => boolean): Promise<void>;
}
