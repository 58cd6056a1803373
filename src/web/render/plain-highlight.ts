// Replaces the highlighter: code stays plain until the server's rendering arrives.

export interface ColourBudget {
  characters: number;
}

export const COLOURED_CHARACTERS_MAX = 0;

export function coloured(): undefined {
  return undefined;
}
