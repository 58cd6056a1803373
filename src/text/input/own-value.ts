// Looks up names that users choose in tables that are plain objects.

/**
 * Returns the table's own value of the key. Plain indexing finds the properties of
 * `Object.prototype` too, such as `constructor`, whatever type the table is declared with.
 */
export function ownValue<V>(
  table: Readonly<Record<string, V>>,
  key: string | number | undefined,
): V | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
