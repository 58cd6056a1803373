// Content that another app shares: stored by the service worker until the page takes it.

/** Cache and names that the worker uses. */
export const SHARE_CACHE = "skein-shared";
const SHARE_WORDS = "/shared/words";
const SHARE_FILES = "/shared/files/";
/** Target of the share in the manifest, and the page that takes it. */
export const SHARE_PATH = "/share";
export const SHARE_ADDRESS = "/#share";

const FILES_MAX = 20;
/** A header, because names may contain any characters. */
const NAME_HEADER = "X-File-Name";

interface SharedContent {
  readonly text: string;
  readonly files: readonly File[];
}

/** The texts of the form's fields, without duplicates. */
function wordsIn(form: FormData): string {
  const fields = ["title", "text", "url"].map((name) => String(form.get(name) ?? "").trim());
  const lines = fields.filter(
    (line, index) =>
      line !== "" &&
      !fields.some(
        (other, otherIndex) => otherIndex !== index && isIn(line, other, index, otherIndex),
      ),
  );
  return lines.join("\n");
}

/** Keeps the first of two equal lines. */
const isIn = (line: string, other: string, index: number, otherIndex: number) =>
  other.includes(line) && (other !== line || otherIndex < index);

export async function storeShared(form: FormData): Promise<void> {
  await caches.delete(SHARE_CACHE);
  const cache = await caches.open(SHARE_CACHE);
  const files = form.getAll("files").filter((entry) => typeof entry !== "string");
  for (const [index, file] of files.slice(0, FILES_MAX).entries()) {
    const headers = {
      "Content-Type": file.type || "application/octet-stream",
      [NAME_HEADER]: encodeURIComponent(file.name),
    };
    await cache.put(`${SHARE_FILES}${index}`, new Response(file, { headers }));
  }
  await cache.put(SHARE_WORDS, new Response(wordsIn(form)));
}

/** Returns the shared content once. */
export async function takeStoredShare(): Promise<SharedContent | undefined> {
  if (!("caches" in globalThis)) return undefined;
  const cache = await caches.open(SHARE_CACHE);
  const words = await cache.match(SHARE_WORDS);
  if (!words) return undefined;
  const files: File[] = [];
  for (let index = 0; index < FILES_MAX; index++) {
    const file = await cache.match(`${SHARE_FILES}${index}`);
    if (!file) break;
    const name = decodeURIComponent(file.headers.get(NAME_HEADER) ?? "file");
    const type = file.headers.get("Content-Type") ?? "";
    files.push(new File([await file.blob()], name, { type }));
  }
  await caches.delete(SHARE_CACHE);
  return { text: await words.text(), files };
}
