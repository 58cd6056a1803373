// Limits of lists that are returned in one response: number and total length.
import { tooMany, tooMuch } from "../../contract/errors/channels.ts";

/** Total length of a list's texts in UTF-16 code units; sending that many takes a few ms. */
export const LIST_LENGTH_MAX = 500_000;

/** @throws if the list would be too long. `texts`: the texts of each item */
export function checkListLength(
  items: string,
  limit: number,
  texts: readonly (readonly string[])[],
) {
  if (texts.length > limit) throw tooMany(items, limit);
  let length = 0;
  for (const list of texts) for (const text of list) length += text.length;
  if (length > LIST_LENGTH_MAX) throw tooMuch(items, LIST_LENGTH_MAX);
}
