// Keyboard commands for searching everywhere or in the current view.
import { view } from "../../store/address.ts";
import { registerCommands } from "../../ui/keys/commands.ts";
import { searchHere, startSearch } from "./start-search.ts";

registerCommands(
  { id: "search", textKey: "search", keys: ["/"], run: startSearch },
  {
    id: "search-here",
    textKey: "search-here",
    when: () => view.value.kind === "messages" || view.value.kind === "topics",
    run: searchHere,
  },
);
