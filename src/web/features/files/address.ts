// Where the files of a place are shown: a page that is named by what the place is named by.
import { addressOf, go } from "../../address.ts";
import { setTerms } from "../../feed/narrow.ts";
import type { MessagesView, View } from "../../views.ts";

export function filesAt({ kind, terms }: MessagesView): View {
  const [, ...path] = addressOf({ kind, terms: setTerms(terms) }).split("/");
  return { kind: "page", page: "files", path };
}

export const showFiles = (of: MessagesView): void => go(filesAt(of));
