// Records which source files each browser test executes, and selects a sample of those tests.
import recorded from "./executed.json";

/**
 * A recording of all browser tests. It may be older than the sources: tests and files that it does
 * not contain are never skipped.
 */
export interface Executed {
  /** CPU seconds of each test file. */
  readonly tests: Readonly<Record<string, number>>;
  /**
   * For each file that is executed: the tests that do, as their numbers in the order of `tests`.
   * The first few execute all functions of the file that any test executes.
   */
  readonly files: Readonly<Record<string, string>>;
}

export const EXECUTED: Executed = recorded;

/** The entry for the whole client, whose first tests execute most of it. */
const WHOLE_CLIENT = "*";
/** Limit for the browser tests that a change can affect, besides those that import the file. */
const SAMPLE_CPU_S = 150;

export interface Sample {
  readonly files: readonly string[];
  /** Number of tests that the sample is taken from. */
  readonly of: number;
}

export class Recording {
  private readonly names: readonly string[];

  constructor(private readonly executed: Executed) {
    this.names = Object.keys(executed.tests);
  }

  has(test: string): boolean {
    return Object.hasOwn(this.executed.tests, test);
  }

  /** Returns the tests that execute a file, or undefined if the file is unknown. */
  testsExecuting(file: string): readonly string[] | undefined {
    if (!Object.hasOwn(this.executed.files, file)) return undefined;
    const numbers = this.executed.files[file]!.split(" ");
    return numbers.flatMap((number) => this.names[Number(number)] ?? []);
  }

  /** Returns all tests, in the order of how much of the client they add. */
  wholeClientTests(): readonly string[] {
    return this.testsExecuting(WHOLE_CLIENT) ?? this.names;
  }

  /** Takes the next test of each list in turn, at least one, until the limit is reached. */
  sampleOf(lists: readonly (readonly string[])[], limit_s = SAMPLE_CPU_S): Sample {
    const chosen = new Set<string>();
    const longest = Math.max(0, ...lists.map((list) => list.length));
    let cpu_s = 0;
    for (let index = 0; index < longest; index++) {
      for (const list of lists) {
        const test = list[index];
        if (test === undefined || chosen.has(test)) continue;
        const cost_s = this.executed.tests[test] ?? 0;
        if (index > 0 && cpu_s + cost_s > limit_s) continue;
        chosen.add(test);
        cpu_s += cost_s;
      }
    }
    return { files: [...chosen], of: new Set(lists.flat()).size };
  }
}

/** The functions that a test executes, by file. */
type Functions = ReadonlyMap<string, ReadonlySet<number>>;

export function recordingOf(
  functions: ReadonlyMap<string, Functions>,
  cpu_s: Readonly<Record<string, number>>,
): Executed {
  const names = [...functions.keys()].toSorted();
  const costs = names.map((name) => cpu_s[name] ?? 0);
  const paths = new Set(names.flatMap((name) => [...functions.get(name)!.keys()]));
  const files = [...paths].toSorted().map((path) => {
    const own = names.map((name) => [...(functions.get(name)!.get(path) ?? [])]);
    return [path, inOrder(own, costs).join(" ")] as const;
  });
  const testKeys = names.map((name) =>
    [...functions.get(name)!].flatMap(([path, offsets]) =>
      [...offsets].map((offset) => `${path}:${offset}`),
    ),
  );
  return {
    tests: Object.fromEntries(
      names.map((name, index) => [name, Math.round(costs[index]! * 10) / 10]),
    ),
    files: Object.fromEntries([[WHOLE_CLIENT, inOrder(testKeys, costs).join(" ")], ...files]),
  };
}

/**
 * Orders sets by how many new elements they add for their cost. After the sets that have all
 * elements together, it starts again with the others.
 */
function inOrder(sets: readonly (readonly unknown[])[], costs: readonly number[]): number[] {
  const holders = new Map<unknown, number[]>();
  for (const [index, set] of sets.entries()) {
    for (const item of set) {
      const holdersOfItem = holders.get(item);
      if (holdersOfItem) holdersOfItem.push(index);
      else holders.set(item, [index]);
    }
  }
  const remaining = new Set(sets.keys().filter((index) => sets[index]!.length > 0));
  const order: number[] = [];
  let unseen = new Set(holders.keys());
  // The number of unseen elements of each set.
  let unseenCounts = sets.map((set) => set.length);
  while (remaining.size > 0) {
    const gain = (index: number) => unseenCounts[index]! / (costs[index]! + 1);
    const best = [...remaining].reduce((first, other) =>
      gain(other) > gain(first) ? other : first,
    );
    if (unseenCounts[best] === 0) {
      unseen = new Set(holders.keys());
      unseenCounts = sets.map((set) => set.length);
      continue;
    }
    for (const item of sets[best]!) {
      if (unseen.delete(item)) for (const index of holders.get(item)!) unseenCounts[index]! -= 1;
    }
    remaining.delete(best);
    order.push(best);
  }
  return order;
}
