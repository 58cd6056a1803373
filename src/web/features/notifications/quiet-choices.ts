// The durations of Do Not Disturb that the menu and the settings offer.
import { HOUR_MS, MINUTE_MS } from "../../../contract/units.ts";
import type { TextKey } from "../../words/words.ts";
import { type Moment, nextMorning, OPEN_END } from "./quiet-hours-rules.ts";

interface QuietChoice {
  textKey: TextKey;
  /** When it ends; milliseconds since 1970. */
  until(now: Moment): number;
}

export const QUIET_CHOICES: readonly QuietChoice[] = [
  { textKey: "quiet-half-hour", until: ({ time }) => time + 30 * MINUTE_MS },
  { textKey: "quiet-hour", until: ({ time }) => time + HOUR_MS },
  { textKey: "quiet-four-hours", until: ({ time }) => time + 4 * HOUR_MS },
  { textKey: "quiet-to-morning", until: nextMorning },
  { textKey: "quiet-open", until: () => OPEN_END },
];
