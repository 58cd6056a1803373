// Reacting by keys.
import { offer } from "../../commands.ts";
import { isInFeed, selectedMessage, selectedRow } from "../conversation/current.ts";
import { isOpen } from "../topics/may.ts";
import { joinFirst, pickReaction, THUMBS_UP, toggleReaction } from "./actions.ts";

const mayReact = () => {
  const message = isInFeed() ? selectedMessage() : undefined;
  return message !== undefined && isOpen(message.stream_id);
};

offer(
  {
    id: "react",
    words: "add-reaction",
    keys: [":"],
    when: mayReact,
    run: () => pickReaction(selectedMessage()!, selectedRow()!),
  },
  {
    id: "thumbs-up",
    words: "thumbs-up",
    keys: ["+"],
    when: mayReact,
    run: () => toggleReaction(selectedMessage()!, THUMBS_UP),
  },
  {
    id: "join-reaction",
    words: "join-reaction",
    keys: ["="],
    when: mayReact,
    run: () => joinFirst(selectedMessage()!),
  },
);
