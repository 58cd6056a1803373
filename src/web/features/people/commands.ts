// Commands about users and channels: the panel, its filter, and the list pages.
import { go, goBelow, view } from "../../store/address.ts";
import { type Command, registerCommands } from "../../ui/keys/commands.ts";
import { sync } from "../../sync/session.ts";
import { capturedText, captureTyping } from "../../ui/buffer-typing.ts";
import { closeLayer } from "../../ui/layers.ts";
import { lazyDialog } from "../../ui/loading/lazy-layer.tsx";
import type { Page } from "../../views.ts";
import { t, type TextKey } from "../../words/words.ts";
import { startPings } from "../presence/ping.ts";
import { hasRoom, isBeside, isOver, togglePanel } from "./panel-state.ts";

const to = (id: string, words: TextKey, page: Page, path: string): Command => {
  return { id, words, run: () => go({ kind: "page", page, path: [path] }) };
};

/** Shows the panel if necessary; meanwhile typed text goes to its filter. */
async function filterPeople(): Promise<void> {
  captureTyping(t("filter-people"));
  if (hasRoom()) isBeside.value = true;
  else isOver.value = true;
  const { focusFilter } = await import("./panel.tsx");
  requestAnimationFrame(() => focusFilter(capturedText()));
}

const profile = lazyDialog(() => import("./profile-dialog.tsx"));

/** The address of a user opens a dialog above the current view. */
view.subscribe((currentView) => {
  if (currentView.kind !== "page" || currentView.page !== "user") closeLayer("profile");
  // Spectators see a note that profiles are for members.
  else if (sync.connection.peek().kind !== "visiting")
    void profile(
      "profile",
      () => t("profile"),
      ({ openProfile }) => openProfile(Number.parseInt(currentView.path[0] ?? "", 10), leaveUser),
      leaveUser,
    );
});

function leaveUser(): void {
  const currentView = view.peek();
  if (currentView.kind === "page" && currentView.page === "user") goBelow();
}

registerCommands(
  { id: "filter-people", words: "filter-people", keys: ["w"], run: filterPeople },
  { id: "toggle-people", words: "toggle-people", run: togglePanel },
  to("all-channels", "browse-channels", "channels", "all"),
  to("new-channel", "new-channel", "channels", "new"),
  to("all-groups", "groups", "groups", "all"),
);

startPings();
