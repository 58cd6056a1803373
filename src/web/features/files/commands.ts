// The keyboard shortcut for the files of the current view.
import { view } from "../../store/address.ts";
import { registerCommands, onTarget } from "../../ui/keys/commands.ts";
import { channelView, type MessagesView } from "../../views.ts";
import { isFound } from "../search/result-selectors.ts";
import { showFiles } from "./address.ts";

/** Searches have no page of files. */
function placeHere(): MessagesView | undefined {
  const currentView = view.value;
  const targetView =
    currentView.kind === "topics" ? channelView(currentView.stream_id) : currentView;
  return targetView.kind === "messages" && !isFound(targetView.terms) ? targetView : undefined;
}

registerCommands({
  id: "show-files",
  words: "show-files",
  keys: ["F"],
  ...onTarget(placeHere, showFiles),
});
