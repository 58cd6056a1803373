// Rows of a database on the device, in memory.
import type { Rows } from "../../src/web/sync/rows.ts";

/** Stores rows in `disk`, by their key. */
export function rowsByPlace<T extends { readonly place: string }>(disk: Map<string, T>): Rows<T> {
  return {
    all: async () => [...disk.values()],
    has: async (key) => disk.has(key),
    put: async (row) => void disk.set(row.place, row),
    update: async (row) => void (disk.has(row.place) && disk.set(row.place, row)),
    exchange: async (row) => {
      const there = disk.get(row.place);
      disk.set(row.place, row);
      return there;
    },
    delete: async (key) => void disk.delete(key),
  };
}
