// Sends typing notifications when the user writes or edits a message, and when the user stops.
import type { Runtime } from "../../api/runtime.ts";
/** In milliseconds, from the server. */
interface Periods {
  readonly repeat_ms: number;
  readonly expiry_ms: number;
}

export class TypingNotifier<Place> {
  private active: { key: string; conversation: Place; sentAt: number } | undefined;
  private cancel: (() => void) | undefined;

  constructor(
    private readonly tell: (op: "start" | "stop", conversation: Place) => void,
    private readonly periods: () => Periods,
    private readonly runtime: Runtime,
    private readonly keyOf: (conversation: Place) => string,
  ) {}

  /** The user typed in this conversation. */
  notifyInput(conversation: Place): void {
    const key = this.keyOf(conversation);
    const { repeat_ms, expiry_ms } = this.periods();
    if (this.active?.key !== key) {
      this.stop();
      this.active = { key, conversation, sentAt: -Infinity };
    }
    const now = this.runtime.now();
    if (now - this.active.sentAt >= repeat_ms) {
      this.active.sentAt = now;
      this.tell("start", conversation);
    }
    this.cancel?.();
    this.cancel = this.runtime.after(expiry_ms, () => this.stop());
  }

  /** The text was sent, cleared or left, or the user paused. */
  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
    if (this.active) this.tell("stop", this.active.conversation);
    this.active = undefined;
  }
}
