/** Measures the heap during imports, in a process of its own. */
import { heapStats } from "bun:jsc";
import { executeCommand } from "../../src/commands/control.ts";
import { Spool } from "../../src/features/moving/archive/spool.ts";
import { watchProgress } from "../../src/features/moving/import-progress.ts";
import { Journal } from "../../src/store/journal/journal.ts";
import { SnapshotRows } from "../../src/store/rows.ts";
import { termList } from "../../src/text/search/term-list.ts";

export interface Sample {
  readonly rows: number;
  /** The number of live objects, except those of compiled code. */
  readonly objects: number;
  readonly bytes: number;
}

export type Command =
  | { readonly name: "runImport"; readonly data: string; readonly input: { from: string } }
  | { readonly name: "exportJsonl"; readonly data: string; readonly input: { to: string } };

export const ROWS_PER_SAMPLE = 500;
/** All numbers in the texts and links of the archives. */
const NUMBERS_MAX = 10_000;
const JOURNAL_ROWS_MAX = 64;

/** Compiled code, which the engine discards at any time. */
const CODE = /Code|Executable|Structure|SymbolTable/;

/** Unique index entries that are cached. */
const pointers = new Set<Map<string, unknown>>();

/**
 * Caches of a fixed size grow until they are full, which can take 20,000 rows. With small ones, an
 * increase of the heap after the first rows is the import's own.
 */
function keepCachesSmall(): void {
  Object.defineProperty(Journal.prototype, "isFull", {
    get(this: { size: number }) {
      return this.size >= JOURNAL_ROWS_MAX;
    },
  });
  const { renew } = SnapshotRows.prototype;
  SnapshotRows.prototype.renew = function (layer) {
    pointers.add((this as unknown as { pointers: Map<string, unknown> }).pointers);
    renew.call(this, layer);
  };
  // All lines are written to disk before the first one is read.
  const { each } = Spool.prototype;
  Spool.prototype.each = async function* (bucket) {
    const spool = this as unknown as {
      buffers: Map<number, string[]>;
      flush: (bucket: number) => Promise<void>;
    };
    for (const buffered of [...spool.buffers.keys()]) await spool.flush(buffered);
    yield* each.call(this, bucket);
  };
  // The stems of known words are cached.
  for (let number = 0; number < NUMBERS_MAX; number++) termList(`${number}`);
}

function sample(rows: number): Sample {
  for (const cached of pointers) cached.clear();
  Bun.gc(true);
  const { objectTypeCounts, heapSize } = heapStats();
  const counts = Object.entries(objectTypeCounts).filter(([type]) => !CODE.test(type));
  return { rows, objects: counts.reduce((sum, [, count]) => sum + count, 0), bytes: heapSize };
}

/**
 * Arguments: the size of caches (`small` or `full`), the rows of an import before its first sample,
 * and commands as JSON. Prints the samples of each command as a line of JSON.
 */
if (import.meta.main) {
  const [caches, warmUpRows, commands = ""] = process.argv.slice(2);
  if (caches === "small") keepCachesSmall();
  for (const { data, name, input } of JSON.parse(commands) as Command[]) {
    const samples: Sample[] = [];
    watchProgress((rows) => {
      const isDue = rows >= Number(warmUpRows) && rows % ROWS_PER_SAMPLE === 0;
      if (isDue) samples.push(sample(rows));
    });
    await executeCommand(data, name, input as { from: string } & { to: string });
    process.stdout.write(`${JSON.stringify(samples)}\n`);
    pointers.clear();
  }
}
