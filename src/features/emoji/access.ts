// Finds the emoji that a request names, and refuses what is none.
import {
  customEmojiInvalid,
  emojiCodeInvalid,
  emojiNameInvalid,
  emojiNotFound,
  emojiTypeInvalid,
} from "../../contract/errors/messages.ts";
import { customEmojiDeactivated, customEmojiNameInvalid } from "../../contract/errors/realm.ts";
import { EXTRA_EMOJI, EXTRA_EMOJI_OTHER } from "../../contract/names.ts";
import type { Reader } from "../../realm.ts";
import { emojiCode, emojiName } from "../../text/emoji.ts";

export const UNICODE_EMOJI = "unicode_emoji";
export const CUSTOM_EMOJI = "realm_emoji";
/** The one emoji that is neither in Unicode nor an organization's own. */
const EXTRA_NAME = "zulip";

export interface Emoji {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
}

/** The emoji of a name; a code or a type that is left out follows from it. */
export function emojiNamed(
  reader: Reader,
  emoji_name: string,
  code?: string,
  type?: string,
): Emoji {
  const emoji = emojiMeant(reader, emoji_name, code, type);
  checkEmoji(reader, emoji);
  return emoji;
}

/** The emoji that a name or code means, whether or not it exists. */
export function emojiMeant(
  reader: Reader,
  emoji_name: string,
  code?: string,
  type?: string,
): Emoji {
  if (code !== undefined && type !== undefined) {
    return { emoji_name, emoji_code: code, reaction_type: spelled(type) };
  }
  const known = byName(reader, emoji_name);
  if (!known) throw emojiNotFound(emoji_name);
  const reaction_type = type === undefined ? known.reaction_type : spelled(type);
  return { emoji_name, emoji_code: code ?? known.emoji_code, reaction_type };
}

/** Refuses an emoji that is none, or that goes by another name. */
export function checkEmoji(reader: Reader, emoji: Emoji): void {
  const { emoji_name, emoji_code, reaction_type } = emoji;
  switch (reaction_type) {
    case EXTRA_EMOJI:
      if (emoji_code !== EXTRA_NAME) throw emojiCodeInvalid();
      if (emoji_name !== EXTRA_NAME) throw emojiNameInvalid();
      return;
    case UNICODE_EMOJI:
      if (emojiName(emoji_code) === undefined) throw emojiCodeInvalid();
      if (emojiCode(emoji_name) !== emoji_code) throw emojiNameInvalid();
      return;
    case CUSTOM_EMOJI:
      return checkCustomEmoji(reader, emoji);
    default:
      throw emojiTypeInvalid();
  }
}

function checkCustomEmoji(reader: Reader, { emoji_name, emoji_code }: Emoji): void {
  const emoji = /^\d{1,15}$/.test(emoji_code) && reader.custom_emoji.get(Number(emoji_code));
  if (!emoji || String(emoji.id) !== emoji_code) throw customEmojiInvalid();
  if (emoji.name !== emoji_name) throw customEmojiNameInvalid();
  if (emoji.deactivated) throw customEmojiDeactivated();
}

/** The type of an emoji as it is kept, whichever spelling a client uses. */
export function spelled(type: string): string {
  return type === EXTRA_EMOJI_OTHER ? EXTRA_EMOJI : type;
}

function byName(reader: Reader, emoji_name: string): Emoji | undefined {
  const custom = reader.custom_emoji.one("name", emoji_name);
  if (custom) return { emoji_name, emoji_code: String(custom.id), reaction_type: CUSTOM_EMOJI };
  if (emoji_name === EXTRA_NAME) {
    return { emoji_name, emoji_code: EXTRA_NAME, reaction_type: EXTRA_EMOJI };
  }
  const emoji_code = emojiCode(emoji_name);
  return emoji_code === undefined
    ? undefined
    : { emoji_name, emoji_code, reaction_type: UNICODE_EMOJI };
}
