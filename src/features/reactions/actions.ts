// Adds and removes emoji reactions of a message.
import {
  reactionExists,
  reactionNotFound,
  reactionUnnamed,
  reactionsTooMany,
} from "../../contract/errors/messages.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int, optional, text } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { Message, Reaction } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import {
  checkEmoji,
  type Emoji,
  resolveEmoji,
  storedSpelling,
  UNICODE_EMOJI,
} from "../emoji/access.ts";
import { accessToChange, hasReceived } from "../messages/access.ts";
import { makeHistorical } from "../messages/flags/flags.ts";
import { addParticipant } from "../messages/mentions.ts";
import { followAfterParticipation } from "../messages/send/follow.ts";
import { audienceOf } from "../messages/sets/audience.ts";
import { REACTIONS_MAX } from "./rules.ts";
import { reactionChanged } from "./wire.ts";

/** The emoji of a request. Missing fields are derived from the name. */
interface GivenEmoji {
  emoji_name: string;
  emoji_code?: string | undefined;
  reaction_type?: string | undefined;
}

export function addReaction(tx: Writer, user: User, message_id: number, input: GivenEmoji): void {
  const { user_id } = user;
  const message = accessToChange(tx, user, message_id);
  const emoji = resolveEmoji(tx, input.emoji_name, input.emoji_code, input.reaction_type);
  const reactions = message.reactions ?? [];
  const votes = reactions.filter((reaction) => isOf(reaction, emoji));
  if (votes.some((vote) => vote.user_id === user_id)) throw reactionExists();
  // A further reaction takes the existing name, since the emoji may have been renamed.
  const emoji_name = votes[0]?.emoji_name ?? emoji.emoji_name;
  if (votes.length === 0) checkEmoji(tx, emoji);
  if (reactions.length >= REACTIONS_MAX) throw reactionsTooMany(REACTIONS_MAX);

  if (!hasReceived(tx, user, message)) makeHistorical(tx, user_id, message_id);
  const reaction: Reaction = { ...emoji, emoji_name, user_id };
  putReactions(tx, message, [...reactions, reaction]);
  if (message.stream_id !== 0) addParticipant(tx, message.topic_id, user_id);
  followAfterParticipation(tx, user, message);
  tx.emit(reactionChanged("add", message, reaction), audienceOf(tx, message));
}

/** Matches by type and code, because the emoji may have been renamed since. */
function removeReaction(
  tx: Writer,
  { user_id }: User,
  message: Message,
  emoji: Pick<Emoji, "emoji_code" | "reaction_type">,
): void {
  const reactions = message.reactions ?? [];
  const own = reactions.find((reaction) => reaction.user_id === user_id && isOf(reaction, emoji));
  if (!own) throw reactionNotFound();

  putReactions(tx, message, reactions.toSpliced(reactions.indexOf(own), 1));
  tx.emit(reactionChanged("remove", message, own), audienceOf(tx, message));
}

function isOf(reaction: Reaction, emoji: Pick<Emoji, "emoji_code" | "reaction_type">): boolean {
  return reaction.emoji_code === emoji.emoji_code && reaction.reaction_type === emoji.reaction_type;
}

function putReactions(tx: Writer, message: Message, reactions: Reaction[]): void {
  const isPlain = reactions.length === 0;
  tx.messages.put({ ...message, reactions: isPlain ? null : reactions });
  if (isPlain) tx.reacted_messages.remove([0], message.id);
  else if (message.reactions === null) tx.reacted_messages.add([0], message.id);
}

export const postReaction = endpoint({
  summary: "React to a message with an emoji",
  tag: "Messages",
  params: {
    message_id: int,
    emoji_name: text,
    emoji_code: optional(text),
    reaction_type: optional(text),
  },
  answer: nothing,
  refuses: ["REACTION_ALREADY_EXISTS"],
  run: ({ realm, user }, { message_id, ...input }) =>
    realm.write((tx) => {
      addReaction(tx, user, message_id, input);
      return {};
    }),
});

export const deleteReaction = endpoint({
  summary: "Remove a reaction",
  tag: "Messages",
  params: {
    message_id: int,
    emoji_name: optional(text),
    emoji_code: optional(text),
    reaction_type: optional(text),
  },
  answer: nothing,
  refuses: ["REACTION_DOES_NOT_EXIST"],
  run: ({ realm, user }, { message_id, emoji_name, emoji_code, reaction_type }) =>
    realm.write((tx) => {
      const message = accessToChange(tx, user, message_id);
      if (emoji_code === undefined && emoji_name === undefined) throw reactionUnnamed();
      const emoji =
        emoji_code === undefined
          ? resolveEmoji(tx, emoji_name!, undefined, reaction_type)
          : { emoji_code, reaction_type: storedSpelling(reaction_type ?? UNICODE_EMOJI) };
      removeReaction(tx, user, message, emoji);
      return {};
    }),
});
