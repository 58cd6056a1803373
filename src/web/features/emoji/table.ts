// The Unicode emoji by group; the build writes them here.

export type Group =
  | "smileys"
  | "people"
  | "nature"
  | "food"
  | "travel"
  | "activities"
  | "objects"
  | "symbols"
  | "flags";

/** Codes and all of their names, separated by spaces; the first is the one that is sent. */
export const EMOJI: Readonly<
  Partial<Record<Group, readonly (readonly [code: string, names: string])[]>>
> = {};
