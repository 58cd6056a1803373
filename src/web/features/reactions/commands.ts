// Reacting by keys.
import { offer } from "../../commands.ts";
import { isInFeed, selectedMessage, selectedRow } from "../conversation/current.ts";
import { joinFirst, pickReaction, THUMBS_UP, toggleReaction } from "./actions.ts";

const isAtMessage = () => isInFeed() && selectedMessage() !== undefined;

offer(
  {
    id: "react",
    words: "add-reaction",
    keys: [":"],
    when: isAtMessage,
    run: () => pickReaction(selectedMessage()!, selectedRow()!),
  },
  {
    id: "thumbs-up",
    words: "thumbs-up",
    keys: ["+"],
    when: isAtMessage,
    run: () => toggleReaction(selectedMessage()!, THUMBS_UP),
  },
  {
    id: "join-reaction",
    words: "join-reaction",
    keys: ["="],
    when: isAtMessage,
    run: () => joinFirst(selectedMessage()!),
  },
);
