// Ordered lists of the organization, which administrators can rearrange.

interface Ordered {
  readonly id: number;
  readonly order: number;
}

export function inOrder<T extends Ordered>(rows: Iterable<T>): T[] {
  const all = [...rows];
  return all.length < 2 ? all : all.sort((a, b) => a.order - b.order || a.id - b.id);
}

/** The position after all others. */
export function lastPlace(rows: Iterable<Ordered>): number {
  return (inOrder(rows).at(-1)?.order ?? 0) + 1;
}

/** Whether the list contains each id exactly once. */
export function isOrderOf(ids: readonly number[], rows: readonly Ordered[]): boolean {
  const requested = new Set(ids);
  if (requested.size !== ids.length || ids.length !== rows.length) return false;
  return rows.every(({ id }) => requested.has(id));
}
