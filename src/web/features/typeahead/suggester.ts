// The one index of everybody's names, which follows what is known of people.
import { onChange } from "../../live.ts";
import { Suggester } from "./suggest.ts";

export const suggester = new Suggester();
onChange((changed) => {
  if (!changed || changed.has("users")) suggester.refresh();
});
