// Names rows in the log by table and key.
import type { Schema } from "./declare.ts";
import { chunkIn, CHUNK_PART_BYTES, lastNumber } from "./key.ts";
import { SEQUENCES_PREFIX } from "./sequences.ts";

/** Examples: `messages 7`, `users by email "bo@example.com"`, `read 12, chunk 3`. */
export function placesOf({ tables, bitmaps }: Schema): (key: string) => string {
  const names = new Map<number, string>([[SEQUENCES_PREFIX, "the sequence"]]);
  const sets = new Map<number, string>();
  for (const [name, { prefix, rows, indexes }] of Object.entries(tables)) {
    names.set(rows?.prefix ?? prefix, name);
    for (const [index, spec] of Object.entries(indexes)) {
      if (spec.prefix !== undefined) names.set(spec.prefix, `${name} by ${index}`);
    }
  }
  for (const [name, { prefix }] of Object.entries(bitmaps)) sets.set(prefix, name);
  return (key) => {
    const prefix = key.charCodeAt(0);
    const set = sets.get(prefix);
    if (set === undefined) return `${names.get(prefix) ?? `prefix ${prefix}`} ${describe(key)}`;
    return `${set} ${describe(key.slice(0, -CHUNK_PART_BYTES))}, chunk ${chunkIn(key)}`;
  };
}

const NUMBER_BYTES_MAX = 8;

/** Formats the parts of a key, as far as they can be distinguished. */
function describe(key: string): string {
  const parts: string[] = [];
  for (let index = 1; index < key.length;) {
    const length = key.charCodeAt(index);
    const isNumber = length > 0 && length <= NUMBER_BYTES_MAX;
    const zero = key.indexOf("\0", index);
    const end = isNumber ? index + 1 + length : zero < 0 ? key.length : zero + 1;
    if (isNumber) parts.push(String(lastNumber(key.slice(0, end), index)));
    else parts.push(JSON.stringify(Buffer.from(key.slice(index, end - 1), "latin1").toString()));
    index = end;
  }
  return parts.join(" ");
}
