// Names and URLs of conversations.
import { conversationOfMessage } from "../../feed/items.ts";
import type { Message } from "../../contract/message.ts";
import { getState } from "../../store/store.ts";
import { directView, topicView } from "../../views.ts";
import { t } from "../../words/words.ts";
import { personOf } from "../people/state.ts";

/** Limit of the names in one list. */
const NAMES_MAX = 20;

/** The conversation of a message, opened at this message. */
export function messageView(message: Message) {
  const { me } = getState().people;
  const conversation = conversationOfMessage(message, me);
  if ("user_ids" in conversation) return directView(conversation.user_ids, me, message.id);
  return topicView(conversation.stream_id, conversation.topic, {
    operator: "near",
    id: message.id,
  });
}

export function peopleIn(user_ids: readonly number[]): string {
  const { people } = getState();
  const selfName = user_ids.includes(people.me) ? [t("you")] : [];
  const others = user_ids
    .filter((id) => id !== people.me)
    .map((id) => personOf(people, id)?.full_name ?? t("unknown-user"));
  const names = [...selfName, ...others];
  const more = names.length - NAMES_MAX;
  const visibleNames =
    more > 0 ? [...names.slice(0, NAMES_MAX), t("and-more", { count: more })] : names;
  return new Intl.ListFormat(document.documentElement.lang || "en").format(visibleNames);
}

/** The displayed name of the empty topic is the organization's choice. */
export function topicName(topic: string): string {
  const unnamed = getState().organization.fields["realm_empty_topic_display_name"];
  return topic === "" ? String(unnamed ?? "") : topic;
}

/** The other users, or the current user in notes to self. */
export function conversationName(user_ids: readonly number[]): string {
  const { people } = getState();
  const ids = user_ids.length === 0 ? [people.me] : user_ids;
  const names = ids.map((id) => personOf(people, id)?.full_name ?? t("unknown-user"));
  return new Intl.ListFormat(document.documentElement.lang || "en", { type: "unit" }).format(names);
}
