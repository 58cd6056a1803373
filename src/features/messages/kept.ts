// What people keep for themselves in lists that are answered in one piece: so many, and so long.
import { tooMany, tooMuch } from "../../contract/errors/channels.ts";

/** Of all the texts of one list together, in UTF-16 units; so much is answered in a few ms. */
export const KEPT_LENGTH_MAX = 500_000;

/** Refuses a list that would be too long. `texts`: of each thing, what it says. */
export function checkKept(things: string, limit: number, texts: readonly (readonly string[])[]) {
  if (texts.length > limit) throw tooMany(things, limit);
  let length = 0;
  for (const some of texts) for (const text of some) length += text.length;
  if (length > KEPT_LENGTH_MAX) throw tooMuch(things, KEPT_LENGTH_MAX);
}
