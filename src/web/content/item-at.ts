/** Reads an item that the caller knows to exist, and fails with a clear error if it does not. */

export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`No item ${index}`);
  return item;
}

export const firstOf = <T>(list: ArrayLike<T>): T => itemAt(list, 0);
export const lastOf = <T>(list: ArrayLike<T>): T => itemAt(list, list.length - 1);

/** The value of a key that the map must contain. */
export function valueOf<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`No key ${String(key)}`);
  return value;
}
