// Keyboard navigation between messages.
import { type Command, registerCommands } from "../../ui/keys/commands.ts";
import { isFocusOnRow, isInFeed } from "./selection-state.ts";
import {
  openSearchResult,
  pageBy,
  isInSearchResults,
  moveFocus,
  scrollToEdge,
  openConversation,
} from "./move-actions.ts";

/** Commands that are in no list. If they do nothing, the key keeps its usual effect. */
function moveCommand(id: string, keys: readonly string[], run: () => boolean | void): Command {
  const isForUs = () => isInFeed() && isFocusOnRow();
  const hiddenCommand = { textKey: "move-messages", isUnlisted: true, repeats: true } as const;
  return { id, keys, when: isForUs, run, ...hiddenCommand };
}

registerCommands(
  { ...moveCommand("message-down", ["j", "ArrowDown"], () => moveFocus("down")), when: isInFeed },
  { ...moveCommand("message-up", ["k", "ArrowUp"], () => moveFocus("up")), when: isInFeed },
  moveCommand("page-down", ["J", "PageDown", "Space"], () => pageBy("down")),
  moveCommand("page-up", ["K", "PageUp", "Shift+Space"], () => pageBy("up")),
  moveCommand("first-message", ["Home"], () => void scrollToEdge("up")),
  moveCommand("last-message", ["End", "G"], () => void scrollToEdge("down")),
  {
    ...moveCommand("enter-conversation", ["Enter"], openSearchResult),
    textKey: "show-in-context",
    when: () => isInFeed() && isFocusOnRow() && isInSearchResults(),
  },
  { id: "zoom", textKey: "show-in-context", keys: ["z"], when: isInFeed, run: openConversation },
);
