// Where the files of a place are shown: a page that is named by what the place is named by.
import { addressOf, go } from "../../address.ts";
import { setTerms } from "../../feed/narrow.ts";
import type { MessagesView } from "../../views.ts";

export function showFiles({ kind, terms }: MessagesView): void {
  const [, ...path] = addressOf({ kind, terms: setTerms(terms) }).split("/");
  go({ kind: "page", page: "files", path });
}
