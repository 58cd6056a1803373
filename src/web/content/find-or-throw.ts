// Finds an item that must exist in a short list.

/** The first item that satisfies the predicate. Throws if there is none. */
export function findOrThrow<T>(list: readonly T[], matches: (item: T) => boolean): T {
  const item = list.find(matches);
  if (item === undefined) throw new RangeError(`None of ${list.length} items is the wanted one.`);
  return item;
}
