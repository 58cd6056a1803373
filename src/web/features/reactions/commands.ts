// Keyboard commands for reactions.
import { registerCommands, onTarget } from "../../ui/keys/commands.ts";
import { isInFeed, selectedMessage, selectedRow } from "../conversation/selection-state.ts";
import { isOpen } from "../topics/permissions.ts";
import { reactAsFirst, THUMBS_UP, toggleReaction } from "./actions.ts";
import { pickReaction } from "./clicks.ts";

/** The selected message, if reactions are allowed in its channel. */
const reactable = () => {
  const message = isInFeed() ? selectedMessage() : undefined;
  return message && isOpen(message.stream_id) ? message : undefined;
};

registerCommands(
  {
    id: "react",
    textKey: "add-reaction",
    keys: [":"],
    ...onTarget(reactable, (message) => {
      const row = selectedRow();
      return row && pickReaction(message, row);
    }),
  },
  {
    id: "thumbs-up",
    textKey: "thumbs-up",
    keys: ["+"],
    ...onTarget(reactable, (message) => toggleReaction(message, THUMBS_UP)),
  },
  {
    id: "join-reaction",
    textKey: "join-reaction",
    keys: ["="],
    ...onTarget(reactable, reactAsFirst),
  },
);
