// Commands about people and channels: the panel at the side, its filter, the pages of all.
import { go, view } from "../../address.ts";
import { type Command, offer } from "../../commands.ts";
import { sync } from "../../here.ts";
import { caughtTyping, catchTyping } from "../../ui/ahead.ts";
import { closeLayer } from "../../ui/layers.ts";
import type { Page } from "../../views.ts";
import { say, type Word } from "../../words/words.ts";
import { startPings } from "../presence/ping.ts";
import { hasRoom, isBeside, isOver, togglePanel } from "./panel-open.ts";

const to = (id: string, words: Word, page: Page, path: string): Command => {
  return { id, words, run: () => go({ kind: "page", page, path: [path] }) };
};

/** Shown first, where it is not; what is typed meanwhile is for its field. */
async function filterPeople(): Promise<void> {
  catchTyping(say("filter-people"));
  if (hasRoom()) isBeside.value = true;
  else isOver.value = true;
  const { focusFilter } = await import("./panel.tsx");
  requestAnimationFrame(() => focusFilter(caughtTyping()));
}

/** The address of a user opens a dialog above the current view. */
view.subscribe((shown) => {
  if (shown.kind !== "page" || shown.page !== "user") closeLayer("profile");
  // Visitors are told below it that it is for members.
  else if (sync.standing.peek().kind !== "visiting")
    void import("./profile-dialog.tsx").then((it) => it.showUser(shown.path));
});

offer(
  { id: "filter-people", words: "filter-people", keys: ["w"], run: filterPeople },
  { id: "toggle-people", words: "toggle-people", run: togglePanel },
  to("all-channels", "browse-channels", "channels", "all"),
  to("new-channel", "new-channel", "channels", "new"),
  to("all-groups", "groups", "groups", "all"),
);

startPings();
