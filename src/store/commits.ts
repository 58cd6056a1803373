// Commits: how what is to be durable is handed to the database.
import type { RootDatabase } from "lmdb";
import type { Journal } from "./journal.ts";
import type { Layer } from "./layers.ts";

export class Commits {
  constructor(
    private readonly db: RootDatabase<Buffer, string>,
    private readonly journal: Journal,
  ) {}

  write(layer: Layer): Promise<void> {
    return this.make(() => {
      this.journal.write(layer);
      for (const [prefix, rows] of layer.rows) {
        if (this.journal.takes(prefix)) continue;
        for (const [key, value] of rows) {
          if (value === null) void this.db.remove(key);
          else void this.db.put(key, value as Buffer);
        }
      }
    });
  }

  /**
   * Another thread makes it, but for the puts. A synchronous transaction, or a batch, would spare
   * changes of threads; but when the disk is full the library then writes past its own memory.
   */
  make(puts: () => void): Promise<void> {
    const made = this.db.transaction(puts);
    // The library begins at once when something follows, and otherwise when the loop turns.
    void this.db.batch(() => {});
    return made;
  }
}

/** What the system said; lmdb tells of it apart from the failure. */
export async function reasonOf(failure: Error): Promise<Error> {
  const { commitError } = failure as { commitError?: Promise<never> };
  return commitError ? commitError.catch((error: Error) => error) : failure;
}
