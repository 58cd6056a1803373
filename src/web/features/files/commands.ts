// The keyboard shortcut for the files of the current view.
import { view } from "../../store/address.ts";
import { registerCommands, onTarget } from "../../ui/keys/commands.ts";
import { channelView, type MessagesView } from "../../views.ts";
import { isSearchView } from "../search/result-selectors.ts";
import { showFiles } from "./address.ts";

/** Searches have no page of files. */
function currentMessagesView(): MessagesView | undefined {
  const currentView = view.value;
  const targetView =
    currentView.kind === "topics" ? channelView(currentView.stream_id) : currentView;
  return targetView.kind === "messages" && !isSearchView(targetView.terms) ? targetView : undefined;
}

registerCommands({
  id: "show-files",
  textKey: "show-files",
  keys: ["F"],
  ...onTarget(currentMessagesView, showFiles),
});
