// What a tab is called and by which sign it is known: how much is new, what it shows, and where.
import type { State } from "../../state.ts";
import { placeOf, type View } from "../../views.ts";
import { say, type Word } from "../../words/words.ts";
import { conversationName, topicName } from "../conversation/drawing.ts";
import { unresolved } from "../topics/resolved.ts";
import { policyOf, VISIBILITY } from "../topics/state.ts";

declare const SKEIN_FAVICONS: Readonly<Record<string, string>>;

export function titleOf(view: View, state: State | undefined): string {
  if (!state) return "Skein";
  const realm = String(state.organization.fields["realm_name"] ?? "Skein");
  const count = countShown(state);
  const parts = [nameOf(view, state), realm].filter((part) => part !== "");
  return `${count > 0 ? `(${count}) ` : ""}${parts.join(" · ")}`;
}

const COUNTS = { all: 1, forMe: 2, callingMe: 3, none: 4 } as const;

/** As the person set it: all, what concerns one, what calls one, or nothing. */
export function countShown({ unread, topics, settings }: State): number {
  const choice = settings.settings["desktop_icon_count_display"];
  if (choice === COUNTS.none) return 0;
  if (choice !== COUNTS.forMe && choice !== COUNTS.callingMe) return unread.all.shown;
  let count = unread.directs.shown;
  for (const { stream_id, topic, ids, mentions } of unread.places.values()) {
    if (stream_id === null) continue;
    const isFollowed = policyOf(topics, stream_id, topic) === VISIBILITY.followed;
    count += choice === COUNTS.forMe && isFollowed ? ids.length : mentions;
  }
  return count;
}

const NAMES: Readonly<Partial<Record<View["kind"], Word>>> = {
  inbox: "inbox",
  recent: "recent",
  drafts: "drafts",
  scheduled: "scheduled",
  reminders: "reminders",
};
const IS: Readonly<Record<string, Word>> = {
  dm: "direct-messages",
  mentioned: "mentions",
  starred: "starred",
};

/** A view's own name, which its heading says too. */
export function nameOf(view: View, state: State): string {
  const channels = state.channels.channels;
  if (view.kind === "topics") return channels.get(view.stream_id)?.row.name ?? "";
  // Pages are called as their addresses are, where they have a name.
  if (view.kind === "page") return say(view.page as Word);
  if (view.kind !== "messages") return NAMES[view.kind] ? say(NAMES[view.kind]!) : "";
  const { terms } = view;
  const place = placeOf(terms, state.people.me);
  if (place && "user_ids" in place) return conversationName(place.user_ids);
  if (terms.length === 0) return say("everything");
  const [first] = terms;
  const word = first?.operator === "is" && !first.negated && IS[first.operand];
  if (terms.length === 1 && word) return say(word);
  const channel = terms.find(({ operator }) => operator === "channel");
  const row = channel && channels.get(Number(channel.operand))?.row;
  if (row && place) return `${topicName(unresolved(place.topic))} · ${row.name}`;
  return row && terms.length === 1 ? row.name : say("search");
}

/** At most once in a second, as a browser draws its tabs anew for it. */
const SIGN_MS = 1000;
const ONE_DIGIT_MAX = 9;

let wanted = "none";
let timer: ReturnType<typeof setTimeout> | undefined;

export function signCount(count: number): void {
  wanted = count === 0 ? "none" : count > ONE_DIGIT_MAX ? "more" : `${count}`;
  timer ??= setTimeout(() => {
    timer = undefined;
    const link = document.querySelector<HTMLLinkElement>('link[rel~="icon"]');
    const href = SKEIN_FAVICONS[wanted];
    if (link && href !== undefined && link.getAttribute("href") !== href) link.href = href;
    // Only where it is installed; a person may have forbidden it.
    void navigator.setAppBadge?.(wanted === "none" ? 0 : count).catch(() => undefined);
  }, SIGN_MS);
}
