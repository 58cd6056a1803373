// The unread count, in one of four forms.
import { t } from "../words/words.ts";

/** Larger numbers are shown as this one with a plus sign. */
const COUNT_MAX = 999;

interface CountProps {
  count: number;
  /** Number of messages that mention the user. */
  mentions?: number;
  isMuted?: boolean;
  /** Shows only that there is something, without a number. */
  isDot?: boolean;
  /** False if the name before it says what is counted. */
  isUnread?: boolean;
}

export function Count({
  count,
  mentions = 0,
  isMuted = false,
  isDot = false,
  isUnread = true,
}: CountProps) {
  if (count === 0) return null;
  const number = isDot ? "" : shortened(mentions > 0 ? mentions : count);
  const text = mentions > 0 ? `@ ${number}`.trim() : number;
  const marks = {
    "data-at": mentions > 0 ? "" : undefined,
    "data-muted": isMuted && mentions === 0 ? "" : undefined,
  };
  const label = <span class="vh">{t(mentions > 0 ? "mentions" : "unread")}</span>;
  return (
    <>
      <span class="count" {...marks}>
        {text || label}
      </span>
      {text && isUnread && label}
    </>
  );
}

export const shortened = (count: number): string =>
  count > COUNT_MAX ? `${COUNT_MAX}+` : `${count}`;
