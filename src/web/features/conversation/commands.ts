// Moving among messages by keys.
import { type Command, offer } from "../../commands.ts";
import { isFree, isInFeed } from "./current.ts";
import { enter, page, standsAmongOthers, step, toEdge, zoom } from "./moves.ts";

/** Commands that are in no list. If they do nothing, the key keeps its usual effect. */
function moving(id: string, keys: readonly string[], run: () => boolean | void): Command {
  const isForUs = () => isInFeed() && isFree();
  const bare = { words: "move-messages", isBare: true, repeats: true } as const;
  return { id, keys, when: isForUs, run, ...bare };
}

offer(
  { ...moving("message-down", ["j", "ArrowDown"], () => step("down")), when: isInFeed },
  { ...moving("message-up", ["k", "ArrowUp"], () => step("up")), when: isInFeed },
  moving("page-down", ["J", "PageDown", "Space"], () => page("down")),
  moving("page-up", ["K", "PageUp", "Shift+Space"], () => page("up")),
  moving("first-message", ["Home"], () => void toEdge("up")),
  moving("last-message", ["End", "G"], () => void toEdge("down")),
  {
    ...moving("enter-conversation", ["Enter"], enter),
    words: "show-in-context",
    when: () => isInFeed() && isFree() && standsAmongOthers(),
  },
  { id: "zoom", words: "show-in-context", keys: ["z"], when: isInFeed, run: zoom },
);
