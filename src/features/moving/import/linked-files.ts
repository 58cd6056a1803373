// Files that an archive only links to, with what a download needs.
import type { Writer } from "../../../realm.ts";
import type { SourceFile } from "../source/records-rules.ts";

export const FETCH_FILE = "fetch imported file";

export interface FileToFetch {
  import_id: number;
  message_id: number;
  /** The key of the message in its source, and that of the file. */
  message_key: string;
  file_key: string;
  /** The text in the message that the file replaces. */
  placeholder: string;
  url: string;
  name: string;
  content_type: string;
  /** null if the export does not contain it. */
  size: number | null;
}

/** URL of the bytes. Undefined if there is none, or if it requires a session. */
export function addressOf(file: SourceFile): string | undefined {
  const { url_private_download, url_private, mode } = file;
  if (mode === "tombstone" || mode === "hidden_by_limit" || mode === "external") return undefined;
  const urls = [url_private_download, url_private].filter((url) => typeof url === "string");
  // Exports append a token to their links; without it Slack asks for a password.
  return urls.find((url) => /[?&]t(oken)?=xox/.test(url));
}

export function fetchLater(tx: Writer, file: FileToFetch): void {
  tx.enqueue(FETCH_FILE, tx.now * 1000, file);
}
