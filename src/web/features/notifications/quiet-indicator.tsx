// The Do Not Disturb indicator beside the user's avatar, with its end.
import { Icon } from "../../ui/icon.tsx";
import { dayKey, formatMoment, formatTime } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { quietEnd } from "./quiet-end.ts";
import { OPEN_END } from "./quiet-hours-rules.ts";

export function QuietIndicator({ isBadge = false }: { isBadge?: boolean }) {
  if (quietEnd.value === undefined) return null;
  const text = doNotDisturbText("quiet-sign", quietEnd.value);
  return (
    <small class={isBadge ? "badge" : undefined} title={text}>
      <Icon name="bell-off" size={16} />
      <span class="vh">{text}</span>
    </small>
  );
}

/** A text with the end of Do Not Disturb, in milliseconds since 1970. */
export const doNotDisturbText = (
  textKey: "quiet-begun" | "quiet-sign" | "quiet-until",
  end: number,
): string => (end < OPEN_END ? t(textKey, { time: quietTime(end) }) : t(`${textKey}-open`));

/** Only the time if it is today. */
export function quietTime(end_ms: number): string {
  const end = end_ms / 1000;
  return (dayKey(end) === dayKey(Date.now() / 1000) ? formatTime : formatMoment)(end);
}
