// How much is unread, in one of four forms.
import { say } from "../words/words.ts";

/** A larger number says no more. */
const SHOWN_MAX = 999;

interface Counted {
  count: number;
  /** So many of them call one by name. */
  mentions?: number;
  isMuted?: boolean;
  /** That there is something, and not how much. */
  isDot?: boolean;
  /** What is counted, for who does not see the place: "unread" when nothing is said. */
  label?: string;
}

export function Count({ count, mentions = 0, isMuted = false, isDot = false, label }: Counted) {
  if (count === 0) return null;
  const number = isDot ? "" : shortened(mentions > 0 ? mentions : count);
  const text = mentions > 0 ? `@ ${number}`.trim() : number;
  const marks = {
    "data-at": mentions > 0 ? "" : undefined,
    "data-muted": isMuted && mentions === 0 ? "" : undefined,
  };
  return (
    <span class="count" aria-label={label} {...marks}>
      {text || <span class="vh">{say("unread")}</span>}
    </span>
  );
}

export const shortened = (count: number): string =>
  count > SHOWN_MAX ? `${SHOWN_MAX}+` : `${count}`;
