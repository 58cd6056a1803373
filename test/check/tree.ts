// The repository as the selection of tests sees it.

/** The files of the repository by path, so that a selection can be computed for any tree. */
export type Sources = ReadonlyMap<string, string>;

export interface SourceTree {
  readonly importers: ReadonlyMap<string, readonly string[]>;
  readonly sources: Sources;
  readonly tests: readonly string[];
}
