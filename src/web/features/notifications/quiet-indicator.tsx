// The Do Not Disturb indicator beside the user's avatar, with its end.
import { Icon } from "../../ui/icon.tsx";
import { dayKey, formatMoment, formatTime } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { quietEnd } from "./quiet-end.ts";
import { OPEN_END } from "./quiet-hours-rules.ts";

export function QuietIndicator({ isBadge = false }: { isBadge?: boolean }) {
  if (quietEnd.value === undefined) return null;
  const words = quietWords("quiet-sign", quietEnd.value);
  return (
    <small class={isBadge ? "badge" : undefined} title={words}>
      <Icon name="bell-off" size={16} />
      <span class="vh">{words}</span>
    </small>
  );
}

/** A text with the end of Do Not Disturb, in milliseconds since 1970. */
export const quietWords = (
  words: "quiet-begun" | "quiet-sign" | "quiet-until",
  end: number,
): string => (end < OPEN_END ? t(words, { time: quietTime(end) }) : t(`${words}-open`));

/** Only the time if it is today. */
export function quietTime(end_ms: number): string {
  const end = end_ms / 1000;
  return (dayKey(end) === dayKey(Date.now() / 1000) ? formatTime : formatMoment)(end);
}
