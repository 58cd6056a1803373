// The types of bots that users can create.
import type { TextKey } from "../../../words/words.ts";

export const [GENERIC, INCOMING, OUTGOING] = [1, 2, 3] as const;
export const KINDS: Readonly<Record<number, TextKey>> = {
  [GENERIC]: "settings-bot-generic",
  [INCOMING]: "settings-bot-incoming",
  [OUTGOING]: "settings-bot-outgoing",
};
