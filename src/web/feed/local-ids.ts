// Numbers for messages without ids: higher than all ids, in order of creation.

const LOCAL_ID_MIN = 2 ** 52;
const numbers = new Map<string, number>();

/** Returns the same number for the same local id, until the page is closed. */
export function localNumber(local_id: string): number {
  const existing = numbers.get(local_id);
  if (existing !== undefined) return existing;
  const number = LOCAL_ID_MIN + numbers.size;
  numbers.set(local_id, number);
  return number;
}

export const isLocal = (id: number): boolean => id >= LOCAL_ID_MIN;
