// Marks messages as read in an open view, once the script for that is loaded.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { importLater } from "../../ui/loading/scheduling.ts";
import { Reader } from "./read-marker-state.ts";

export function readerOf(terms: readonly NarrowTerm[]): Reader {
  const reader = new Reader(terms);
  const loaded = importLater(() => import("../unread/marking-actions.ts"));
  void loaded.then(({ Marking }) => reader.start(() => new Marking(reader)));
  return reader;
}
