// The one index of everybody's names, which follows what is known of people.
import { known, onChange } from "../../live.ts";
import { Suggester } from "./suggest.ts";

/** Between two pieces of the names, so that keys and frames have their turn. */
const REST_MS = 20;

export const suggester = new Suggester();
onChange((changed) => {
  if (changed && !changed.has("users")) return;
  suggester.refresh();
  timer ??= setTimeout(readAhead, REST_MS);
});

/** Reads names in advance, so that the first mention is fast. */
let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(readAhead, REST_MS);

function readAhead(): void {
  timer = undefined;
  const state = known();
  if (state && !suggester.readSome(state)) timer = setTimeout(readAhead, REST_MS);
}
