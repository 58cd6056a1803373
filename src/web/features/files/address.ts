// The page of a conversation's files, named like the conversation.
import { addressOf, go } from "../../store/address.ts";
import { setTerms } from "../../store/narrow.ts";
import type { MessagesView, View } from "../../views.ts";

export function filesAt({ kind, terms }: MessagesView): View {
  const [, ...path] = addressOf({ kind, terms: setTerms(terms) }).split("/");
  return { kind: "page", page: "files", path };
}

export const showFiles = (messagesView: MessagesView): void => go(filesAt(messagesView));
