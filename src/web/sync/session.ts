// This tab: its connection to the server and its pending mutations.
import { narrowKey } from "../store/narrow.ts";
import { LINES } from "./layout.ts";
import { openSync } from "./open.ts";
import { viewOf } from "../views.ts";

export const { sync, personal } = openSync(viewKeysShownFirst());

/** The home view is a setting: a list, or all messages. */
function viewKeysShownFirst(): string[] {
  const currentView = viewOf(location.hash);
  return currentView.kind === "messages" ? [narrowKey(currentView.terms)] : [LINES, narrowKey([])];
}
