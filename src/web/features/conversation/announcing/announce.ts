// Announces messages that arrive in the open conversation to screen readers.

/** A message as text. */
interface Said {
  name: string;
  text: string;
}

/** If more messages arrive within the period, only their number is announced. */
const SINGLY_MAX = 3;
const TOGETHER_MS = 2000;
const LENGTH_MAX = 120;

export class Announcer {
  private waiting: Said[] = [];
  private isRunning = false;

  constructor(
    private readonly tell: (words: string) => void,
    private readonly words: { one(said: Said): string; many(count: number): string },
    private readonly after: (ms: number, act: () => void) => void,
  ) {}

  /** Announces the first message at once, and those shortly after it together. */
  arrived(said: readonly Said[]): void {
    if (said.length === 0) return;
    if (this.isRunning) {
      this.waiting.push(...said);
      return;
    }
    this.isRunning = true;
    this.say(said);
    this.after(TOGETHER_MS, () => {
      this.isRunning = false;
      const rest = this.waiting;
      this.waiting = [];
      this.arrived(rest);
    });
  }

  private say(said: readonly Said[]): void {
    if (said.length > SINGLY_MAX) this.tell(this.words.many(said.length));
    else
      this.tell(said.map((one) => this.words.one({ ...one, text: shortened(one.text) })).join(" "));
  }
}

/** Truncated at a grapheme boundary. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= LENGTH_MAX) return line;
  return `${[...line].slice(0, LENGTH_MAX).join("")}…`;
}
