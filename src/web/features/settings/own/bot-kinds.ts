// The types of bots that users can create.
import type { Word } from "../../../words/words.ts";

export const [GENERIC, INCOMING, OUTGOING] = [1, 2, 3] as const;
export const KINDS: Readonly<Record<number, Word>> = {
  [GENERIC]: "settings-bot-generic",
  [INCOMING]: "settings-bot-incoming",
  [OUTGOING]: "settings-bot-outgoing",
};
