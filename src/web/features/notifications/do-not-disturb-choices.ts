// The durations of Do Not Disturb that the menu and the settings offer.
import { HOUR_MS, MINUTE_MS } from "../../../contract/units.ts";
import type { TextKey } from "../../words/words.ts";
import { type Moment, nextMorning, OPEN_END } from "./do-not-disturb-rules.ts";

interface QuietChoice {
  textKey: TextKey;
  /** When it ends; milliseconds since 1970. */
  until(now: Moment): number;
}

export const DO_NOT_DISTURB_CHOICES: readonly QuietChoice[] = [
  { textKey: "do-not-disturb-half-hour", until: ({ time }) => time + 30 * MINUTE_MS },
  { textKey: "do-not-disturb-hour", until: ({ time }) => time + HOUR_MS },
  { textKey: "do-not-disturb-four-hours", until: ({ time }) => time + 4 * HOUR_MS },
  { textKey: "do-not-disturb-to-morning", until: nextMorning },
  { textKey: "do-not-disturb-open", until: () => OPEN_END },
];
