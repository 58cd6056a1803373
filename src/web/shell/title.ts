// The tab's title and icon: the number of unread messages, the view and the organization.
import { ownValue } from "../../text/input/own-value.ts";
import { effect } from "@preact/signals";
import { view as shown } from "../store/address.ts";
import { subscribe, maybeState } from "../store/store.ts";
import type { State } from "../store/state.ts";
import type { Page, View } from "../views.ts";
import { t, type TextKey } from "../words/words.ts";
import { policyOf, VISIBILITY } from "../features/topics/state.ts";
import { nameOf } from "../features/page/selectors.ts";
import { resolveHome } from "./views.tsx";

declare const SKEIN_FAVICONS: Readonly<Record<string, string>>;

/** Pages whose names differ from their addresses. */
const PAGES: Partial<Record<Page, TextKey>> = {
  user: "profile",
  invite: "invite-people",
  "keyboard-shortcuts": "shortcuts",
  about: "about-skein",
  "first-steps": "onboarding-title",
};

function titleOf(view: View, state: State | undefined): string {
  if (!state) return "Skein";
  const realm = String(state.organization.fields["realm_name"] ?? "Skein");
  const count = countShown(state);
  const page = view.kind === "page" ? PAGES[view.page] : undefined;
  const segments = [page ? t(page) : nameOf(resolveHome(view), state), realm].filter(
    (segment) => segment !== "",
  );
  return `${count > 0 ? `(${count}) ` : ""}${segments.join(" · ")}`;
}

const COUNTS = { all: 1, forMe: 2, callingMe: 3, none: 4 } as const;

/** Counts by setting: all, those that concern the user, direct messages and mentions, or none. */
function countShown({ unread, topics, settings }: State): number {
  const choice = settings.settings["desktop_icon_count_display"];
  if (choice === COUNTS.none) return 0;
  if (choice !== COUNTS.forMe && choice !== COUNTS.callingMe) return unread.all.shown;
  let count = unread.directs.shown;
  for (const { stream_id, topic, ids, mentions } of unread.conversations.values()) {
    if (stream_id === null) continue;
    const isFollowed = policyOf(topics, stream_id, topic) === VISIBILITY.followed;
    count += choice === COUNTS.forMe && isFollowed ? ids.length : mentions;
  }
  return count;
}

/** At most once per second, because browsers rerender the tab bar for it. */
const ICON_DELAY_MS = 1000;
const DIGIT_COUNT_MAX = 9;

/** The pending count, since more changes may come within the second. */
let targetCount = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function signCount(count: number): void {
  targetCount = count;
  timer ??= setTimeout(() => {
    timer = undefined;
    const link = document.querySelector<HTMLLinkElement>('link[rel~="icon"]');
    const name =
      targetCount === 0 ? "none" : targetCount > DIGIT_COUNT_MAX ? "more" : `${targetCount}`;
    const href = ownValue(SKEIN_FAVICONS, name);
    if (link && href !== undefined && link.getAttribute("href") !== href) link.href = href;
    // Works only for installed apps, and the user may have blocked it.
    void navigator.setAppBadge?.(targetCount).catch(() => undefined);
  }, ICON_DELAY_MS);
}

effect(() => {
  subscribe("unread:all", "setting:desktop_icon_count_display", "realm");
  const state = maybeState();
  document.title = titleOf(shown.value, state);
  signCount(state ? countShown(state) : 0);
});
