// Commands for pinning the current view and unpinning it.
import { view } from "../../store/address.ts";
import { registerCommands, onTarget } from "../../ui/keys/commands.ts";
import { pin, findPinnedView, rename, unpin } from "./actions.ts";

/** "All messages" is always in the sidebar. */
function currentMessagesView() {
  const { value } = view;
  return value.kind === "messages" && value.terms.length > 0 ? value : undefined;
}

const pinnedViewHere = () => {
  const currentView = currentMessagesView();
  return currentView && findPinnedView(currentView);
};

registerCommands(
  {
    id: "pin-view",
    textKey: "pin-view",
    ...onTarget(() => (pinnedViewHere() ? undefined : currentMessagesView()), pin),
  },
  {
    id: "unpin-view",
    textKey: "unpin-view",
    ...onTarget(pinnedViewHere, (pinned) => void unpin(pinned)),
  },
  {
    id: "rename-view",
    textKey: "rename-view",
    ...onTarget(pinnedViewHere, rename),
  },
);
