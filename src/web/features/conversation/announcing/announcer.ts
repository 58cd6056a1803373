// Announces messages that arrive in the open conversation to screen readers.

/** A message as text. */
interface Arrival {
  name: string;
  text: string;
}

/** If more messages arrive within the period, only their number is announced. */
const ANNOUNCED_SINGLY_MAX = 3;
const GATHER_MS = 2000;
const LENGTH_MAX = 120;

export class Announcer {
  private waiting: Arrival[] = [];
  private isRunning = false;

  constructor(
    private readonly speak: (text: string) => void,
    private readonly words: { one(arrivals: Arrival): string; many(count: number): string },
    private readonly after: (ms: number, action: () => void) => void,
  ) {}

  /** Announces the first message at once, and those shortly after it together. */
  announce(arrivals: readonly Arrival[]): void {
    if (arrivals.length === 0) return;
    if (this.isRunning) {
      this.waiting.push(...arrivals);
      return;
    }
    this.isRunning = true;
    this.announceNow(arrivals);
    this.after(GATHER_MS, () => {
      this.isRunning = false;
      const rest = this.waiting;
      this.waiting = [];
      this.announce(rest);
    });
  }

  private announceNow(arrivals: readonly Arrival[]): void {
    if (arrivals.length > ANNOUNCED_SINGLY_MAX) this.speak(this.words.many(arrivals.length));
    else
      this.speak(
        arrivals
          .map((arrival) => this.words.one({ ...arrival, text: shortenText(arrival.text) }))
          .join(" "),
      );
  }
}

/** Truncated at a grapheme boundary. */
function shortenText(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= LENGTH_MAX) return line;
  return `${[...line].slice(0, LENGTH_MAX).join("")}…`;
}
