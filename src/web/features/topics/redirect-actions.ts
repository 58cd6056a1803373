// Redirects URLs of moved messages to their current conversation.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { go, view } from "../../store/address.ts";
import { fetchMessage } from "../../api/calls.ts";
import { ApiError } from "../../contract/api-error.ts";
import { conversationOfMessage } from "../../feed/items.ts";
import { viewFor } from "../../store/feed-views.ts";
import { narrowKey, setTerms } from "../../store/narrow.ts";
import { sync } from "../../sync/session.ts";
import { getState } from "../../store/store.ts";
import { showToast } from "../../ui/toast.tsx";
import { directView, conversationOf, topicView } from "../../views.ts";
import { t } from "../../words/words.ts";
import type { Message } from "../../contract/message.ts";

/**
 * `with` is a permalink: opens the conversation of its message and updates the URL. A message in
 * `near` is first searched in the conversation that the URL names, once it has loaded (`started`).
 */
export async function redirectToMoved(
  terms: readonly NarrowTerm[],
  started: Promise<void>,
): Promise<void> {
  const from = view.peek();
  const { operator, id } = conversationInTerms(terms);
  if (operator === undefined || !(id > 0) || !isOfConversation(terms, operator)) return;
  if (operator === "near") await started;
  const message = getState().messages.byId.get(id) ?? (await fetched(id));
  if (view.peek() !== from) return;
  if (message === null) showMissing(terms, id);
  if (!message) return;
  const { me } = getState().people;
  const conversation = conversationOfMessage(message, me);
  const to =
    "topic" in conversation
      ? topicView(conversation.stream_id, conversation.topic, { operator, id })
      : directView(conversation.user_ids, me, operator === "near" ? id : undefined);
  const isElsewhere = to.kind === "messages" && narrowKey(to.terms) !== narrowKey(terms);
  if (isElsewhere) go(to, { replace: true });
}

function conversationInTerms(terms: readonly NarrowTerm[]) {
  for (const operator of ["with", "near"] as const) {
    const term = terms.find((candidate) => candidate.operator === operator && !candidate.negated);
    if (term) return { operator, id: Number(term.operand) };
  }
  return { operator: undefined, id: 0 };
}

/**
 * Whether the terms contain, besides the message, only a conversation or nothing. Searches are not
 * redirected.
 */
function isOfConversation(terms: readonly NarrowTerm[], operator: "with" | "near"): boolean {
  const isBare = operator === "with" && setTerms(terms).length === 0;
  return isBare || conversationOf(terms, getState().people.me) !== undefined;
}

/**
 * The view would otherwise seem to contain the message. An empty view has its own notice.
 */
function showMissing(terms: readonly NarrowTerm[], id: number): void {
  const isBare = setTerms(terms).length === 0;
  if (!isBare && viewFor(terms).segments.every(({ ids }) => ids.length === 0)) return;
  const hide = showToast({ text: t("no-such-message"), isAlert: true });
  const term = { operator: "id", operand: `${id}`, negated: false };
  if (isBare) go({ kind: "messages", terms: [term] }, { replace: true });
  closeAfterNavigation(hide);
}

/** Hides the notice when the user opens another view. */
function closeAfterNavigation(hide: () => void): void {
  const currentView = view.peek();
  const end = view.subscribe((now) => {
    if (now === currentView) return;
    hide();
    queueMicrotask(() => end());
  });
}

/** null: it does not exist or is not accessible. undefined: the request failed. */
async function fetched(message_id: number): Promise<Message | null | undefined> {
  try {
    const params = { message_id, allow_empty_topic_name: true };
    return (await fetchMessage(sync, params)).message;
  } catch (error) {
    return error instanceof ApiError ? null : undefined;
  }
}
