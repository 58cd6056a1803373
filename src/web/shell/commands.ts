// Commands that are available everywhere: opening views, and closing the top layer.
import { effect } from "@preact/signals";
import { go, view } from "../store/address.ts";
import { registerDialogPage } from "../store/dialog-page.ts";
import { updateEntry, remembered } from "../ui/history-entry.ts";
import { type Command, isWritingIn, registerCommands } from "../ui/keys/commands.ts";
import { maybeState } from "../store/store.ts";
import { dismissToast } from "../ui/toast.tsx";
import { closeTopLayer, isLayered } from "../ui/layers.ts";
import { EVERYTHING, isDialog, isView, type Page, type View } from "../views.ts";
import { t, type TextKey } from "../words/words.ts";

/** While a layer is open, these commands must not move the focus. */
const isUncovered = () => !isLayered();

const to = (id: string, textKey: TextKey, key: string, view: View): Command => {
  return { id, textKey, keys: [key], run: () => go(view) };
};

registerCommands(
  to("go-inbox", "inbox", "I", { kind: "inbox" }),
  to("go-recent", "recent", "t", { kind: "recent" }),
  to("go-everything", "everything", "a", EVERYTHING),
  to("go-starred", "starred", "*", isView("starred")),
  to("go-direct", "direct-messages", "P", isView("dm")),
  to("go-drafts", "drafts", "d", { kind: "drafts" }),
  { id: "about", textKey: "about-skein", run: () => go({ kind: "page", page: "about", path: [] }) },
  {
    id: "close",
    textKey: "close",
    // On a Mac, Ctrl is not Mod.
    keys: ["Escape", "Mod+[", "Ctrl+["],
    isUnlisted: true,
    whileWriting: true,
    run: () =>
      dismissToast(true) ||
      closeTopLayer() ||
      leaveFocusedRow() ||
      leaveField() ||
      leaveCurrentPage() ||
      dismissToast() ||
      goHome(),
  },
  {
    id: "next-region",
    textKey: "next-region",
    keys: ["F6"],
    whileWriting: true,
    when: isUncovered,
    run: () => cycleFocus(1),
  },
  {
    id: "previous-region",
    textKey: "previous-region",
    keys: ["Shift+F6"],
    whileWriting: true,
    when: isUncovered,
    run: () => cycleFocus(-1),
  },
);

/** URLs that other clients link to; the help covers their content. */
const HELP_PAGES: Partial<Record<Page, string>> = {
  "message-formatting": "/help/formatting/",
  "search-operators": "/help/search/",
};

effect(() => {
  const currentView = view.value;
  const path = currentView.kind === "page" && HELP_PAGES[currentView.page];
  if (path) location.replace(path);
});

registerDialogPage({
  page: "about",
  id: "about",
  title: () => t("about-skein"),
  load: () => import("./about.tsx"),
  open:
    (_, leave) =>
    ({ openAbout }) =>
      openAbout(leave),
});

/** From an element of a message to its row, and from there out of the feed. */
function leaveFocusedRow(): boolean {
  const { activeElement } = document;
  const row = activeElement?.closest<HTMLElement>(".feed article");
  if (!row || isWritingIn(activeElement)) return false;
  const outer = row === activeElement ? row.closest<HTMLElement>(".feed") : row;
  outer?.focus({ preventScroll: true });
  return true;
}

/** From a filter field to its list; first clears the field. */
function leaveField(): boolean {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLInputElement) || !activeElement.closest("#main, .panel"))
    return false;
  if (!isWritingIn(activeElement)) return false;
  // The browser itself clears a search field.
  if (activeElement.type === "search" && activeElement.value !== "") return false;
  activeElement.blur();
  return true;
}

/** From a page to the view below it; a new form keeps its input. */
function leaveCurrentPage(): boolean {
  const currentView = view.peek();
  if (currentView.kind !== "page" || currentView.path[0] === "new") return false;
  if (isWritingIn(document.activeElement)) return false;
  if (pagesAbove === undefined) go({ kind: "home" });
  else history.go(-pagesAbove);
  return true;
}

/**
 * Number of history entries from a page back to the view; undefined if the tab started with the
 * page.
 */
let pagesAbove: number | undefined = view.peek().kind === "page" ? undefined : 0;
/** Like `over`, for a dialog above a view or a page. */
let above: number | undefined = isDialog(view.peek()) ? undefined : 0;
view.subscribe((currentView) => {
  if (currentView.kind !== "page") return void (pagesAbove = above = 0);
  const historyEntry = remembered.peek();
  pagesAbove = historyEntry.over ?? nextCount(pagesAbove, historyEntry.under);
  above = isDialog(currentView) ? (historyEntry.above ?? nextCount(above)) : 0;
  const historyState = {
    ...(pagesAbove !== undefined && { over: pagesAbove }),
    ...(above !== undefined && { above }),
  };
  if (historyEntry.over !== pagesAbove || historyEntry.above !== above) updateEntry(historyState);
});

function nextCount(count: number | undefined, under = 0): number | undefined {
  return count === undefined ? undefined : count + under + 1;
}

/** Goes to the home view if nothing else can be closed and the user has enabled it. */
function goHome(): boolean {
  const goesHome = maybeState()?.settings.settings["web_escape_navigates_to_home_view"] === true;
  const isHomeOrPage = ["home", "page"].includes(view.peek().kind);
  if (!goesHome || isHomeOrPage || isWritingIn(document.activeElement)) return false;
  go({ kind: "home" });
  return true;
}

/** The visible ones of: sidebar, feed or another list or page, composer, panel, and undo notice. */
const REGIONS = [
  ".sidebar, .feed, .scroll[role=region]:not(:has(.feed)), .page-body, .compose, .panel",
  ".toast button",
].join();

function cycleFocus(step: number): void {
  const all = [...document.querySelectorAll<HTMLElement>(REGIONS)].filter((region) =>
    region.checkVisibility(),
  );
  const index = all.findIndex((region) => region.contains(document.activeElement));
  const region = all.at((index + step + all.length) % all.length);
  const inside = region?.querySelector<HTMLElement>("[aria-current], textarea, [tabindex='0'], a");
  (inside ?? region)?.focus();
}
