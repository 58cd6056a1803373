// Rows of one kind on a browser's disk, or in memory where it has none.

/** The rows of one store, in memory where the browser denies a disk. */
export interface Rows<T> {
  all(): Promise<T[]>;
  has(key: string): Promise<boolean>;
  put(row: T): Promise<void>;
  /** Puts it, and gives what was in its place. */
  exchange(row: T): Promise<T | undefined>;
  /**
   * What a disk that has failed does not let go is there again at the next start. `isIt`: only
   * what is so, as another tab may have put something else there.
   */
  delete(key: string, isIt?: (row: T) => boolean): Promise<void>;
}
