// Maps functions of a bundled script to the source files that they come from.

export interface ScriptSection {
  readonly path: string;
  /** Offset in the script. */
  readonly from: number;
  readonly line: number;
}

/** A script as the profiler describes it. */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly { startOffset: number; endOffset: number; count: number }[];
  }[];
}

/** Returns the source files of a bundled script. The bundler starts each with a comment. */
export function sectionsOf(script: string): ScriptSection[] {
  const begins = script.matchAll(/^\/\/ (?:\.\.\/)*((?:src|node_modules)\/\S+)$/gm);
  let [line, last] = [0, 0];
  return [...begins].map(({ 1: path, index }) => {
    line += script.slice(last, index).split("\n").length - 1;
    last = index;
    return { path: path!, from: index, line };
  });
}

export function sectionsAt(
  url: string,
  sections: ReadonlyMap<string, readonly ScriptSection[]>,
): readonly ScriptSection[] {
  return url.startsWith("http") ? (sections.get(new URL(url).pathname) ?? []) : [];
}

/** Returns the functions that were executed: by source file, their offsets within its section. */
export function executedSections(
  covered: readonly ScriptCoverage[],
  sections: ReadonlyMap<string, readonly ScriptSection[]>,
): Record<string, number[]> {
  const executed = new Map<string, Set<number>>();
  for (const { url, functions } of covered) {
    const own = sectionsAt(url, sections);
    for (const {
      ranges: [full],
    } of functions) {
      const { startOffset: from, endOffset: to, count } = full!;
      const index = own.findLastIndex((section) => section.from <= from);
      // A function that spans several sections is the script itself, so it is skipped.
      if (count === 0 || index === -1 || (own[index + 1]?.from ?? Infinity) < to) continue;
      const { path, from: start } = own[index]!;
      const lines = executed.get(path);
      if (lines) lines.add(from - start);
      else executed.set(path, new Set([from - start]));
    }
  }
  return Object.fromEntries([...executed].map(([path, offsets]) => [path, [...offsets]]));
}
