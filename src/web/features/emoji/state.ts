// Emoji that the user has used, stored on this device.
import { ownValue } from "../../../text/input/own-value.ts";
import type { Reaction } from "../../contract/message.ts";

export const USED_EMOJI = "skein-emoji-used";
export const EMOJI_TONE = "skein-emoji-tone";
const RECORDED_MAX = 100;

/** Use counts by code, with the names that reactions are sent with. */
type UseCounts = Record<string, { times: number; name?: string }>;

/** `name`: undefined for custom emoji, which can be renamed. */
export function recordEmojiUse(code: string, name: string | undefined): void {
  const used = readUsage();
  used[code] = { times: (used[code]?.times ?? 0) + 1, ...(name !== undefined && { name }) };
  const mostRecent = Object.entries(used).sort(([, a], [, b]) => b.times - a.times);
  try {
    localStorage.setItem(
      USED_EMOJI,
      JSON.stringify(Object.fromEntries(mostRecent.slice(0, RECORDED_MAX))),
    );
  } catch {
    // If storage is full or denied, nothing is remembered.
  }
}

const DEFAULT_FREQUENT: readonly (readonly [code: string, name: string])[] = [
  ["1f44d", "+1"],
  ["1f389", "tada"],
  ["1f440", "eyes"],
  ["2764", "heart"],
  ["1f64f", "folded_hands"],
  ["2705", "check"],
  ["1f604", "smile"],
  ["1f331", "seedling"],
  ["2615", "coffee"],
];
const DEFAULT_NAMES = new Map(DEFAULT_FREQUENT);

/** Returns the most used emoji first, followed by generally popular ones. */
export const mostUsedCodes = (count: number): string[] =>
  emojiByUse()
    .map(([code]) => code)
    .slice(0, count);

/** How often the user has used each emoji, by code. */
export const usageCounts = (): ReadonlyMap<string, number> =>
  new Map(Object.entries(readUsage()).map(([code, { times }]) => [code, times]));

type CustomEmojiById = Readonly<Record<string, { name: string; deactivated: boolean }>>;

/** The most used emoji as reactions. Leaves out custom emoji that are gone. */
export function frequentReactions(
  custom: CustomEmojiById,
  count: number,
): Omit<Reaction, "user_id">[] {
  const all = emojiByUse().flatMap<Omit<Reaction, "user_id">>(([emoji_code, { name = "" }]) => {
    const customEmoji = ownValue(custom, emoji_code);
    if (customEmoji?.deactivated) return [];
    const emoji_name = customEmoji?.name ?? name;
    const reaction_type = customEmoji ? "realm_emoji" : "unicode_emoji";
    return emoji_name === "" ? [] : [{ emoji_name, emoji_code, reaction_type }];
  });
  return all.slice(0, count);
}

function emojiByUse(): [code: string, used: UseCounts[string]][] {
  const used = readUsage();
  const usedEmoji = Object.entries(used).sort(([, a], [, b]) => b.times - a.times);
  const others = DEFAULT_FREQUENT.filter(([code]) => !Object.hasOwn(used, code));
  return usedEmoji.concat(others.map(([code, name]) => [code, { times: 0, name }]));
}

function readUsage(): UseCounts {
  try {
    // Earlier versions stored the count alone.
    const stored: Record<string, UseCounts[string] | number> = JSON.parse(
      localStorage.getItem(USED_EMOJI) ?? "{}",
    );
    const entries = Object.entries(stored).map(([code, usage]) => {
      const name = DEFAULT_NAMES.get(code);
      const used = typeof usage === "number" ? { times: usage } : usage;
      return [code, { ...(name !== undefined && { name }), ...used }] as const;
    });
    return Object.fromEntries(entries.filter(([, { times }]) => Number.isFinite(times)));
  } catch {
    return {};
  }
}
