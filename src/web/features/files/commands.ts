// The files of what is shown, by a key.
import { view } from "../../address.ts";
import { offer } from "../../commands.ts";
import { channelView, type MessagesView } from "../../views.ts";
import { isFound } from "../search/open.ts";
import { showFiles } from "./address.ts";

/** Files of a search are found by searching. */
function placeHere(): MessagesView | undefined {
  const shown = view.value;
  const meant = shown.kind === "topics" ? channelView(shown.stream_id) : shown;
  return meant.kind === "messages" && !isFound(meant.terms) ? meant : undefined;
}

offer({
  id: "show-files",
  words: "show-files",
  keys: ["F"],
  when: () => placeHere() !== undefined,
  run: () => showFiles(placeHere()!),
});
