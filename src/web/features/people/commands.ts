// Commands about users and channels: the panel, its filter, and the list pages.
import { go } from "../../store/address.ts";
import { registerDialogPage } from "../../store/dialog-page.ts";
import { type Command, registerCommands } from "../../ui/keys/commands.ts";
import { sync } from "../../sync/session.ts";
import { takeCapturedText, captureTyping } from "../../ui/buffer-typing.ts";
import type { Page } from "../../views.ts";
import { t, type TextKey } from "../../words/words.ts";
import { startPings } from "../presence/ping.ts";
import { fitsBeside, isBeside, isOver, togglePanel } from "./panel-state.ts";

const to = (id: string, textKey: TextKey, page: Page, path: string): Command => {
  return { id, textKey, run: () => go({ kind: "page", page, path: [path] }) };
};

/** Shows the panel if necessary; meanwhile typed text goes to its filter. */
async function filterPeople(): Promise<void> {
  captureTyping(t("filter-people"));
  if (fitsBeside()) isBeside.value = true;
  else isOver.value = true;
  const { focusFilter } = await import("./panel.tsx");
  requestAnimationFrame(() => focusFilter(takeCapturedText()));
}

registerDialogPage({
  page: "user",
  id: "profile",
  title: () => t("profile"),
  load: () => import("./profile-dialog.tsx"),
  open:
    ([user_id = ""], leave) =>
    ({ openProfile }) =>
      openProfile(Number.parseInt(user_id, 10), leave),
  // Spectators see a note that profiles are for members.
  isAllowed: () => sync.connection.peek().kind !== "visiting",
});

registerCommands(
  { id: "filter-people", textKey: "filter-people", keys: ["w"], run: filterPeople },
  { id: "toggle-people", textKey: "toggle-people", run: togglePanel },
  to("all-channels", "browse-channels", "channels", "all"),
  to("new-channel", "new-channel", "channels", "new"),
  to("all-groups", "groups", "groups", "all"),
);

startPings();
