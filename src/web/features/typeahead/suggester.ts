// The shared index of all users' names, updated with the state.
import { maybeState, onChange } from "../../store/store.ts";
import { Suggester } from "./suggest.ts";

/** Pause between two steps, so that keys and frames are not delayed. */
const INPUT_REST_MS = 20;

export const suggester = new Suggester();
onChange((changed) => {
  if (changed && !changed.has("users")) return;
  suggester.refresh();
  timer ??= setTimeout(readRemainingNames, INPUT_REST_MS);
});

/** Reads names in advance, so that the first mention is fast. */
let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(
  readRemainingNames,
  INPUT_REST_MS,
);

function readRemainingNames(): void {
  timer = undefined;
  const state = maybeState();
  if (state && !suggester.readSome(state)) timer = setTimeout(readRemainingNames, INPUT_REST_MS);
}
