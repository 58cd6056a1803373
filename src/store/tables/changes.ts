// Collects the changes of a transaction in observed tables, before and after.
import type { KeyPart, TableSpec } from "../declare.ts";
import { keyOf } from "../key.ts";

/** A record that was put, replaced or deleted, once per transaction. */
export interface Change {
  readonly table: string;
  readonly before: unknown;
  readonly after: unknown;
}

export class Changes {
  private byKey = new Map<string, Change>();

  constructor(private readonly watched: ReadonlySet<string>) {}

  /** Returns the callback for writes to a table, if the table is observed. */
  of<R>(
    table: string,
    { prefix, key }: TableSpec<R>,
  ): ((before?: R, after?: R) => void) | undefined {
    if (!this.watched.has(table)) return undefined;
    return (before, after) => {
      const parts = key.map((name) => (after ?? before)![name] as KeyPart);
      const location = keyOf(prefix, parts);
      const first = this.byKey.get(location);
      this.byKey.set(location, { table, before: first ? first.before : before, after });
    };
  }

  begin(): void {
    if (this.byKey.size > 0) this.byKey = new Map();
  }

  /** Returns the changes in the order in which the records were first changed. */
  get all(): readonly Change[] {
    return this.byKey.size === 0 ? NONE : [...this.byKey.values()];
  }
}

const NONE: readonly Change[] = [];
