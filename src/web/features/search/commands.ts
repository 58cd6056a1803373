// Keys that search: everywhere, or in what is shown.
import { view } from "../../address.ts";
import { offer } from "../../commands.ts";
import { searchHere, startSearch } from "./begin.ts";

offer(
  { id: "search", words: "search", keys: ["/"], run: startSearch },
  {
    id: "search-here",
    words: "search-here",
    when: () => view.value.kind === "messages" || view.value.kind === "topics",
    run: searchHere,
  },
);
