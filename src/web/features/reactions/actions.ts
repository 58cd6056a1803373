// Adds and removes reactions, and displays the change at once.
import { addReaction, dropReaction } from "../../api/message-calls.ts";
import { getState } from "../../store/store.ts";
import { optimistic } from "../../sync/optimistic.ts";
import type { LocalEvent } from "../../contract/snapshot.ts";
import { recordEmojiUse } from "../emoji/state.ts";
import { changeableMessage } from "../messages/actions.ts";
import type { Message, Reaction } from "../../contract/message.ts";

export type ReactionEmoji = Omit<Reaction, "user_id">;

export const THUMBS_UP: ReactionEmoji = {
  emoji_name: "+1",
  emoji_code: "1f44d",
  reaction_type: "unicode_emoji",
};

const isOf = (reaction: ReactionEmoji, { emoji_code, reaction_type }: ReactionEmoji) =>
  reaction.emoji_code === emoji_code && reaction.reaction_type === reaction_type;

export function toggleReaction({ id: message_id }: Message, emoji: ReactionEmoji): void {
  const message = changeableMessage(message_id);
  if (!message) return;
  const { reactions } = message;
  const user_id = getState().people.me;
  const isMine = reactions.some(
    (reaction) => reaction.user_id === user_id && isOf(reaction, emoji),
  );
  const { emoji_name, emoji_code, reaction_type } = emoji;
  const emojiParams = { emoji_name, emoji_code, reaction_type };
  const localEvent = (op: "add" | "remove"): LocalEvent => {
    return { type: "reaction", op, message_id, user_id, ...emojiParams };
  };
  if (!isMine)
    recordEmojiUse(emoji_code, reaction_type === "unicode_emoji" ? emoji_name : undefined);
  const request = (isMine ? dropReaction : addReaction).toRequest({ message_id, ...emojiParams });
  void optimistic(
    request,
    [localEvent(isMine ? "remove" : "add")],
    [localEvent(isMine ? "add" : "remove")],
  );
}

/** Adds the user to the first existing reaction. */
export function reactAsFirst(message: Message): boolean {
  const [first] = message.reactions;
  if (!first) return false;
  toggleReaction(message, first);
  return true;
}
