// Beside one's own picture: that one is not to be disturbed, and until when.
import { Icon } from "../../ui/icon.tsx";
import { dayKey, formatMoment, formatTime } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { quietEnd } from "./quiet-end.ts";

export function QuietSign({ isBadge = false }: { isBadge?: boolean }) {
  if (quietEnd.value === undefined) return null;
  const words = say("quiet-sign", { time: quietTime(quietEnd.value / 1000) });
  return (
    <small class={isBadge ? "badge" : undefined} title={words}>
      <Icon name="bell-off" size={16} />
      <span class="vh">{words}</span>
    </small>
  );
}

/** The time alone, where that is today; seconds since 1970. */
export const quietTime = (end: number): string =>
  (dayKey(end) === dayKey(Date.now() / 1000) ? formatTime : formatMoment)(end);
