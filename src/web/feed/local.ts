// Numbers for messages that have no id yet: beyond all ids, in the order of their making.

const FIRST = 2 ** 52;
const numbers = new Map<string, number>();

/** The same for the same local id, as long as the page lives. */
export function localNumber(local_id: string): number {
  const known = numbers.get(local_id);
  if (known !== undefined) return known;
  const number = FIRST + numbers.size;
  numbers.set(local_id, number);
  return number;
}

export const isLocal = (id: number): boolean => id >= FIRST;
