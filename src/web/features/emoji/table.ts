// The Unicode emoji by group, which the build generates.

export type EmojiGroup =
  | "smileys"
  | "people"
  | "nature"
  | "food"
  | "travel"
  | "activities"
  | "objects"
  | "symbols"
  | "flags";

/** Codes with all of their names, separated by spaces; the first name is sent. */
export const EMOJI: Readonly<
  Partial<Record<EmojiGroup, readonly (readonly [code: string, names: string])[]>>
> = {};
