// Opens the menu of a conversation in a list: by a right click, a long press, a key or its button.
import { closestTo } from "../../content/elements.ts";
import { maybeState } from "../../store/store.ts";
import { type ConversationRef, conversationOf, viewOf } from "../../views.ts";
import { directMenu, topicMenu } from "./menus.ts";

document.addEventListener("contextmenu", (event) => {
  const conversation = conversationAt(event.target);
  if (conversation) open(event, conversation);
});

document.addEventListener("click", ({ target }) => {
  const button = closestTo(target, ".list-row [data-row-menu]");
  const conversation = button && conversationAt(button);
  if (conversation) open(button, conversation);
});

function open(target: Element | MouseEvent, conversation: ConversationRef): void {
  if ("user_ids" in conversation) void directMenu(target, conversation.user_ids);
  else void topicMenu(target, conversation.stream_id, conversation.topic);
}

/** The conversation to which the row links. */
function conversationAt(target: EventTarget | null): ConversationRef | undefined {
  const row = closestTo(target, ".list-row[data-has-menu]");
  const link = row?.querySelector<HTMLAnchorElement>("a[data-focus]");
  // Menus are for members.
  const me = maybeState()?.people.me ?? 0;
  if (!link || me === 0) return undefined;
  const to = viewOf(link.hash);
  return to.kind === "messages" ? conversationOf(to.terms, me) : undefined;
}
