// Describes how the server's data differs from the oracle's.
/** Sets and lists are compared as sets. */
export function difference<T>(label: string, found: T | Iterable<T>, expected: unknown): string[] {
  const [a, b] = [describeValue(found), describeValue(expected)];
  return a === b ? [] : [`${label}: the server says ${a}, the oracle ${b}`];
}

function describeValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "nothing";
  const items = [...(value as Iterable<unknown>)].map((item) => JSON.stringify(item));
  return `[${items.sort((a, b) => (a.padStart(20) < b.padStart(20) ? -1 : 1)).join()}]`;
}
