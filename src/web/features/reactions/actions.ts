// Reacting to a message, and taking it back: seen at once.
import { addReaction, dropReaction } from "../../api/deed-calls.ts";
import { onAct } from "../../feed/acts.ts";
import { now } from "../../live.ts";
import { optimistic } from "../../optimistic.ts";
import type { Deed } from "../../snapshot.ts";
import { boxOf } from "../../ui/box.ts";
import { noteUsed } from "../emoji/recent.ts";
import { stillOpen } from "../messages/actions.ts";
import type { Message, Reaction } from "../messages/state.ts";

export type Emoji = Omit<Reaction, "user_id">;

export const THUMBS_UP: Emoji = {
  emoji_name: "+1",
  emoji_code: "1f44d",
  reaction_type: "unicode_emoji",
};

const isOf = (one: Emoji, { emoji_code, reaction_type }: Emoji) =>
  one.emoji_code === emoji_code && one.reaction_type === reaction_type;

export function toggleReaction({ id: message_id }: Message, emoji: Emoji): void {
  const message = stillOpen(message_id);
  if (!message) return;
  const { reactions } = message;
  const user_id = now().people.me;
  const isMine = reactions.some((one) => one.user_id === user_id && isOf(one, emoji));
  const { emoji_name, emoji_code, reaction_type } = emoji;
  const what = { emoji_name, emoji_code, reaction_type };
  const deed = (op: "add" | "remove"): Deed => {
    return { type: "reaction", op, message_id, user_id, ...what };
  };
  if (!isMine) noteUsed(emoji_code);
  const wanted = (isMine ? dropReaction : addReaction).asked({ message_id, ...what });
  void optimistic(wanted, [deed(isMine ? "remove" : "add")], [deed(isMine ? "add" : "remove")]);
}

/** Any reaction that is there already, the first one. */
export function joinFirst(message: Message): boolean {
  const [first] = message.reactions;
  if (!first) return false;
  toggleReaction(message, first);
  return true;
}

export async function pickReaction(message: Message, beside: Element): Promise<void> {
  if (!stillOpen(message.id)) return;
  const box = boxOf(beside);
  const { openPicker } = await import("../emoji/picker.tsx");
  openPicker(box, (emoji) => toggleReaction(message, emoji));
}

onAct("toggle-reaction", ({ message, on }) => {
  if (message) toggleReaction(message, JSON.parse(on) as Emoji);
});
onAct("react", ({ message, node }) => {
  if (message) void pickReaction(message, node);
});
