// The Do Not Disturb indicator beside the user's avatar, with its end.
import { Icon } from "../../ui/icon.tsx";
import { dayKey, formatMoment, formatTime } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { quietEnd } from "./quiet-end.ts";

export function QuietIndicator({ isBadge = false }: { isBadge?: boolean }) {
  if (quietEnd.value === undefined) return null;
  const words = t("quiet-sign", { time: quietTime(quietEnd.value / 1000) });
  return (
    <small class={isBadge ? "badge" : undefined} title={words}>
      <Icon name="bell-off" size={16} />
      <span class="vh">{words}</span>
    </small>
  );
}

/** Only the time if it is today; seconds since 1970. */
export const quietTime = (end: number): string =>
  (dayKey(end) === dayKey(Date.now() / 1000) ? formatTime : formatMoment)(end);
