// How much is unread, in one of four forms.

/** A larger number says no more. */
const SHOWN_MAX = 999;

interface Counted {
  count: number;
  /** So many of them call one by name. */
  mentions?: number;
  isMuted?: boolean;
  /** What is counted, for who does not see the place: "unread" when nothing is said. */
  label?: string;
}

export function Count({ count, mentions = 0, isMuted = false, label }: Counted) {
  if (count === 0) return null;
  const text = `${mentions > 0 ? "@ " : ""}${shortened(mentions > 0 ? mentions : count)}`;
  const marks = {
    "data-at": mentions > 0 ? "" : undefined,
    "data-muted": isMuted && mentions === 0 ? "" : undefined,
  };
  return (
    <span class="count" aria-label={label} {...marks}>
      {text}
    </span>
  );
}

export const shortened = (count: number): string =>
  count > SHOWN_MAX ? `${SHOWN_MAX}+` : `${count}`;
