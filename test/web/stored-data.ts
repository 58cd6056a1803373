// Reads what a browser stores of unsent texts and actions.
import type { Page } from "playwright-core";
import type { Json } from "../test-server.ts";

/** Returns all rows of a store after earlier writes have finished; stores `row` first, if given. */
export const readStoredRows = (
  page: Page,
  user_id: number,
  store: "drafts" | "doings" | "outbox",
  row?: Json,
): Promise<Json[]> =>
  page.evaluate(
    async ([name, storeName, put]) => {
      const requestResult = <T>(item: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          item.onsuccess = () => resolve(item.result);
          item.onerror = () => reject(new Error("no disk"));
        });
      const disk = await requestResult(indexedDB.open(name));
      const rows = disk.transaction(storeName, "readwrite").objectStore(storeName);
      if (put) rows.put(put);
      const all = await requestResult<Json[]>(rows.getAll());
      disk.close();
      return all;
    },
    [`skein-kept-${user_id}`, store, row] as const,
  );
