// This tab: its connection to the server, and what is on its way there.
import { narrowKey } from "./feed/narrow.ts";
import { LINES } from "./features/messages/lines.ts";
import { openSync } from "./sync/open.ts";
import { viewOf } from "./views.ts";

export const { sync, desk } = openSync(shownFirst());

/** The home view depends on the state: a list, or all messages. */
function shownFirst(): string[] {
  const shown = viewOf(location.hash);
  return shown.kind === "messages" ? [narrowKey(shown.terms)] : [LINES, narrowKey([])];
}
