// Keyboard navigation between messages.
import { type Command, registerCommands } from "../../ui/keys/commands.ts";
import { isFocusOnRow, isInFeed } from "./selection-state.ts";
import {
  openSearchResult,
  pageBy,
  isInSearchResults,
  step,
  scrollToEdge,
  openConversation,
} from "./move-actions.ts";

/** Commands that are in no list. If they do nothing, the key keeps its usual effect. */
function moving(id: string, keys: readonly string[], run: () => boolean | void): Command {
  const isForUs = () => isInFeed() && isFocusOnRow();
  const bare = { words: "move-messages", isBare: true, repeats: true } as const;
  return { id, keys, when: isForUs, run, ...bare };
}

registerCommands(
  { ...moving("message-down", ["j", "ArrowDown"], () => step("down")), when: isInFeed },
  { ...moving("message-up", ["k", "ArrowUp"], () => step("up")), when: isInFeed },
  moving("page-down", ["J", "PageDown", "Space"], () => pageBy("down")),
  moving("page-up", ["K", "PageUp", "Shift+Space"], () => pageBy("up")),
  moving("first-message", ["Home"], () => void scrollToEdge("up")),
  moving("last-message", ["End", "G"], () => void scrollToEdge("down")),
  {
    ...moving("enter-conversation", ["Enter"], openSearchResult),
    words: "show-in-context",
    when: () => isInFeed() && isFocusOnRow() && isInSearchResults(),
  },
  { id: "zoom", words: "show-in-context", keys: ["z"], when: isInFeed, run: openConversation },
);
