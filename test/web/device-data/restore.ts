// Restores recorded device data into a browser, as if that version had just run.
import type { Page } from "playwright-core";
import type { Json } from "../../test-server.ts";
import recorded from "./d865b1fe.json";
import type { RecordedDevice } from "./recorded.ts";
import { FILE_PIECE } from "./scene.ts";

export const device: RecordedDevice = recorded;

/** A page of the server that runs no client. */
export const PLAIN_PAGE = "/help/apps/";

/** The recorded rows with today's times: the client does not retry a message after a day. */
export function rowsOfToday(): RecordedDevice["rows"] {
  const elapsedMs = Date.now() - device.recorded_at;
  const times = ["made", "first_tried", "changed", "not_before"];
  const shifted = (row: Json) =>
    Object.fromEntries(
      Object.entries(row).map(([field, value]) =>
        times.includes(field) && typeof value === "number"
          ? [field, value + elapsedMs]
          : [field, value],
      ),
    );
  const all = Object.entries(device.rows).map(([store, rows]) => [store, rows.map(shifted)]);
  return Object.fromEntries(all) as RecordedDevice["rows"];
}

/** Creates the database as that version did, with these rows. */
export const restore = (page: Page, rows: Partial<RecordedDevice["rows"]>): Promise<void> =>
  page.evaluate(
    async ([{ name, version, stores }, all, chunk]) => {
      const openRequest = indexedDB.open(name, version);
      openRequest.onupgradeneeded = () => {
        for (const store of stores)
          openRequest.result.createObjectStore(store.name, { keyPath: store.keyPath });
      };
      await new Promise((done) => (openRequest.onsuccess = done));
      const disk = openRequest.result;
      const names = stores.map((store) => store.name);
      const tx = disk.transaction(names, "readwrite");
      for (const [store, stored] of Object.entries(all)) {
        for (const { file, ...row } of stored) {
          const { type, length } = file ?? {};
          const bytes = file && new Blob([chunk.repeat(length / chunk.length)], { type });
          tx.objectStore(store).put(bytes ? { ...row, file: bytes } : row);
        }
      }
      await new Promise((done) => (tx.oncomplete = done));
      disk.close();
    },
    [device.database, rows, FILE_PIECE] as const,
  );

/** Sends the first piece of a file; returns the path of the upload. */
export const halfSent = (page: Page, name: string, length: number, first: number) =>
  page.evaluate(
    async ([file, size, offset, chunk]) => {
      const token = /csrftoken=([^;]*)/.exec(document.cookie)![1]!;
      const headers = { "Tus-Resumable": "1.0.0", "X-CSRFToken": token };
      const metadata = `filename ${btoa(file)},filetype ${btoa("text/plain")}`;
      const started = await fetch("/json/tus/", {
        method: "POST",
        headers: { ...headers, "Upload-Length": `${size}`, "Upload-Metadata": metadata },
      });
      const path = new URL(started.headers.get("location")!, location.href).pathname;
      const url = path.slice(path.indexOf("/tus/"));
      const type = "application/offset+octet-stream";
      const response = await fetch(`/json${url}`, {
        method: "PATCH",
        headers: { ...headers, "Upload-Offset": "0", "Content-Type": type },
        body: chunk.repeat(offset / chunk.length),
      });
      if (!response.ok) throw new Error(`${response.status} from ${url}`);
      return url;
    },
    [name, length, first, FILE_PIECE] as const,
  );
