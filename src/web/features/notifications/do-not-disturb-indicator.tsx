// The Do Not Disturb indicator beside the user's avatar, with its end.
import { Icon } from "../../ui/icon.tsx";
import { dayKey, formatMoment, formatTime } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { doNotDisturbEnd } from "./do-not-disturb-end.ts";
import { OPEN_END } from "./do-not-disturb-rules.ts";

export function DoNotDisturbIndicator({ isBadge = false }: { isBadge?: boolean }) {
  if (doNotDisturbEnd.value === undefined) return null;
  const text = doNotDisturbText("do-not-disturb-sign", doNotDisturbEnd.value);
  return (
    <small class={isBadge ? "badge" : undefined} title={text}>
      <Icon name="bell-off" size={16} />
      <span class="vh">{text}</span>
    </small>
  );
}

/** A text with the end of Do Not Disturb, in milliseconds since 1970. */
export const doNotDisturbText = (
  textKey: "do-not-disturb-begun" | "do-not-disturb-sign" | "do-not-disturb-until",
  end: number,
): string => (end < OPEN_END ? t(textKey, { time: doNotDisturbTime(end) }) : t(`${textKey}-open`));

/** Only the time if it is today. */
export function doNotDisturbTime(end_ms: number): string {
  const end = end_ms / 1000;
  return (dayKey(end) === dayKey(Date.now() / 1000) ? formatTime : formatMoment)(end);
}
