// The name of a view, for its heading and the tab's title.
import { ownValue } from "../../../text/input/own-value.ts";
import type { State } from "../../store/state.ts";
import { conversationOf, type View } from "../../views.ts";
import { t, type TextKey } from "../../words/words.ts";
import { conversationName, topicName } from "../conversation/selectors.ts";
import { unresolved } from "../topics/rules.ts";

const NAMES: Readonly<Partial<Record<View["kind"], TextKey>>> = {
  inbox: "inbox",
  recent: "recent",
  drafts: "drafts",
  scheduled: "scheduled",
  reminders: "reminders",
};
/** Views by the operand of `is:`. The others are searches. */
export const VIEW_TITLES: Readonly<Record<string, TextKey>> = {
  dm: "direct-messages",
  mentioned: "mentions",
  starred: "starred",
};

/** The name of a view, also used as its heading. */
export function nameOf(view: View, state: State): string {
  const channels = state.channels.channels;
  /** Channels that are absent or inaccessible have a general name. */
  const channelName = (id: number) => channels.get(id)?.row.name ?? t("channel");
  if (view.kind === "topics") return channelName(view.stream_id);
  // Pages are named by their URL fragments if they have a name.
  if (view.kind === "page") return t(view.page as TextKey);
  if (view.kind !== "messages") {
    const name = NAMES[view.kind];
    return name ? t(name) : "";
  }
  const { terms } = view;
  const conversation = conversationOf(terms, state.people.me);
  if (conversation && "user_ids" in conversation) return conversationName(conversation.user_ids);
  if (terms.length === 0) return t("everything");
  const [first] = terms;
  const word = first?.operator === "is" && !first.negated && ownValue(VIEW_TITLES, first.operand);
  if (terms.length === 1 && word) return t(word);
  const channel = terms.find(({ operator }) => operator === "channel");
  const name = channel && !channel.negated && channelName(Number(channel.operand));
  if (name && conversation) return `${topicName(unresolved(conversation.topic))} · ${name}`;
  return name && terms.length === 1 ? name : t("search");
}
