// Pinning what is shown, and taking it away again, from the switcher.
import { view } from "../../address.ts";
import { offer } from "../../commands.ts";
import { pin, pinnedAs, rename, unpin } from "./actions.ts";

/** Everything is in the rail of everybody. */
function here() {
  const { value } = view;
  return value.kind === "messages" && value.terms.length > 0 ? value : undefined;
}

const pinnedHere = () => {
  const shown = here();
  return shown && pinnedAs(shown);
};

offer(
  {
    id: "pin-view",
    words: "pin-view",
    when: () => here() !== undefined && !pinnedHere(),
    run: () => pin(here()!),
  },
  {
    id: "unpin-view",
    words: "unpin-view",
    when: () => pinnedHere() !== undefined,
    run: () => void unpin(pinnedHere()!),
  },
  {
    id: "rename-view",
    words: "rename-view",
    when: () => pinnedHere() !== undefined,
    run: () => rename(pinnedHere()!),
  },
);
