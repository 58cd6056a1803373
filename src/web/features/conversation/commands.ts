// Keyboard navigation between messages.
import { type Command, registerCommands } from "../../ui/keys/commands.ts";
import { isFree, isInFeed } from "./selection-state.ts";
import { enter, pageBy, isInSearchResults, step, scrollToEdge, zoom } from "./move-actions.ts";

/** Commands that are in no list. If they do nothing, the key keeps its usual effect. */
function moving(id: string, keys: readonly string[], run: () => boolean | void): Command {
  const isForUs = () => isInFeed() && isFree();
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
    ...moving("enter-conversation", ["Enter"], enter),
    words: "show-in-context",
    when: () => isInFeed() && isFree() && isInSearchResults(),
  },
  { id: "zoom", words: "show-in-context", keys: ["z"], when: isInFeed, run: zoom },
);
