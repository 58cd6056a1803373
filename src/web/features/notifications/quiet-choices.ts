// The durations of Do Not Disturb that the menu and the settings offer.
import { HOUR_MS, MINUTE_MS } from "../../../contract/units.ts";
import type { TextKey } from "../../words/words.ts";
import { type Moment, nextMorning, OPEN_END } from "./quiet-hours-rules.ts";

interface QuietChoice {
  words: TextKey;
  /** When it ends; milliseconds since 1970. */
  until(now: Moment): number;
}

export const QUIET_CHOICES: readonly QuietChoice[] = [
  { words: "quiet-half-hour", until: ({ at }) => at + 30 * MINUTE_MS },
  { words: "quiet-hour", until: ({ at }) => at + HOUR_MS },
  { words: "quiet-four-hours", until: ({ at }) => at + 4 * HOUR_MS },
  { words: "quiet-to-morning", until: nextMorning },
  { words: "quiet-open", until: () => OPEN_END },
];
