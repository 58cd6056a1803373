// Commands about people and channels: the panel at the side, its filter, the pages of all.
import { go } from "../../address.ts";
import { type Command, offer } from "../../commands.ts";
import type { Page } from "../../views.ts";
import type { Word } from "../../words/words.ts";
import { startPings } from "../presence/ping.ts";
import { hasRoom, isBeside, isOver, togglePanel } from "./panel-open.ts";

const to = (id: string, words: Word, page: Page, path: string): Command => {
  return { id, words, run: () => go({ kind: "page", page, path: [path] }) };
};

/** Shown first, where it is not. */
async function filterPeople(): Promise<void> {
  if (!isBeside.value && !isOver.value) togglePanel();
  else if (!hasRoom()) isOver.value = true;
  const { focusFilter } = await import("./panel.tsx");
  requestAnimationFrame(focusFilter);
}

offer(
  { id: "filter-people", words: "filter-people", keys: ["w"], run: filterPeople },
  { id: "toggle-people", words: "toggle-people", run: togglePanel },
  to("all-channels", "browse-channels", "channels", "all"),
  to("new-channel", "new-channel", "channels", "new"),
  to("all-groups", "groups", "groups", "all"),
);

startPings();
