// Clicks on reactions, and the emoji picker that adds one.
import type { Message } from "../../contract/message.ts";
import { onRowAction } from "../../feed/row-actions.ts";
import { boxOf } from "../../ui/anchor-box.ts";
import { openPicker } from "../emoji/open-picker.tsx";
import { changeableMessage } from "../messages/actions.ts";
import { type ReactionEmoji, toggleReaction } from "./actions.ts";

export async function pickReaction(message: Message, anchor: Element): Promise<void> {
  if (!changeableMessage(message.id)) return;
  await openPicker(boxOf(anchor), (emoji) => toggleReaction(message, emoji));
}

for (const name of ["toggle-reaction", "quick-reaction"]) {
  onRowAction(name, ({ message, on }) => {
    if (!message) return;
    const emoji: ReactionEmoji = JSON.parse(on);
    toggleReaction(message, emoji);
  });
}
onRowAction("react", ({ message, node }) => {
  if (message) void pickReaction(message, node);
});
