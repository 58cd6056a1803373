// Names of Unicode emoji in other products, as the names that they have here.
import { emojiCode } from "../../../text/emoji.ts";

const FLAGS = ["cn", "de", "es", "fr", "gb", "it", "jp", "kr", "ru", "uk", "us"];
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["simple_smile", "slightly_smiling_face"],
  ...FLAGS.map((country) => [country, `flag_${country}`] as const),
]);

/** undefined: no Unicode emoji has the name. */
export function unicodeEmojiName(name: string): string | undefined {
  // Slack writes `man-shrugging`, and here it is `man_shrugging`.
  const names = [RENAMED.get(name) ?? name, name, name.replaceAll("-", "_")];
  return names.find((one) => emojiCode(one) !== undefined);
}

const EMOJI = /:([\w+-]{1,100}):(?::skin-tone-[2-6]:)?/g;

/** Converts the names of emoji in a text of Slack; those of custom emoji stay. */
export function withEmojiNames(text: string): string {
  if (!text.includes(":")) return text;
  return text.replaceAll(EMOJI, (_all, name: string) => `:${unicodeEmojiName(name) ?? name}:`);
}
