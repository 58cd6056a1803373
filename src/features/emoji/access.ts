// Finds the emoji that a request names, or rejects the request.
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
/** The only emoji that is neither in Unicode nor custom. */
const EXTRA_NAME = "zulip";

export interface Emoji {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
}

/** Returns the emoji with this name. A missing code or type follows from the name. */
export function emojiNamed(
  reader: Reader,
  emoji_name: string,
  code?: string,
  type?: string,
): Emoji {
  const emoji = resolveEmoji(reader, emoji_name, code, type);
  checkEmoji(reader, emoji);
  return emoji;
}

/** Returns the emoji for a name or code, whether or not it exists. */
export function resolveEmoji(
  reader: Reader,
  emoji_name: string,
  code?: string,
  type?: string,
): Emoji {
  if (code !== undefined && type !== undefined) {
    return { emoji_name, emoji_code: code, reaction_type: storedSpelling(type) };
  }
  const customEmoji = byName(reader, emoji_name);
  if (!customEmoji) throw emojiNotFound(emoji_name);
  const reaction_type = type === undefined ? customEmoji.reaction_type : storedSpelling(type);
  return { emoji_name, emoji_code: code ?? customEmoji.emoji_code, reaction_type };
}

/** Rejects an emoji that does not exist or has another name. */
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

/** The stored spelling of an emoji type, for either spelling of clients. */
export function storedSpelling(type: string): string {
  return type === EXTRA_EMOJI_OTHER ? EXTRA_EMOJI : type;
}

function byName(reader: Reader, emoji_name: string): Emoji | undefined {
  const custom = reader.custom_emoji.findBy("name", emoji_name);
  if (custom) return { emoji_name, emoji_code: String(custom.id), reaction_type: CUSTOM_EMOJI };
  if (emoji_name === EXTRA_NAME) {
    return { emoji_name, emoji_code: EXTRA_NAME, reaction_type: EXTRA_EMOJI };
  }
  const emoji_code = emojiCode(emoji_name);
  return emoji_code === undefined
    ? undefined
    : { emoji_name, emoji_code, reaction_type: UNICODE_EMOJI };
}
