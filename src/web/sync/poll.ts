// The poll: one for all tabs of a browser; what it brings is on the disk before it is acknowledged.
import { backOff, type World } from "../api/ask.ts";
import type { Polled } from "../api/calls.ts";
import { type Asking, ask, Refused, Unanswered } from "../api/http.ts";
import type { Event } from "../snapshot.ts";
import type { Place } from "./layout.ts";

/** The server says something every 55 seconds; a connection that is silent for longer is dead. */
const SILENT_MS_MAX = 75_000;
/** Events within this time are applied together, so that the page is rendered once. */
const TOGETHER_MS = 100;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;

/** The interface of the poll's owner. */
export interface Polling {
  readonly asking: Asking;
  /** The position of the session's last poll. */
  place(): Promise<Place | undefined>;
  /** Registers, as there is no queue, or none any more. */
  begin(): Promise<Place>;
  /** Keeps and tells what came after `from`; only then the next poll acknowledges it. */
  took(place: Place, from: number, events: readonly Event[]): Promise<void>;
  /** Whether the server answers. */
  reached(isReached: boolean): void;
  /** Timers of a page that nobody sees are late by a second or more, and others wait for it. */
  isHidden(): boolean;
}

export class Poller {
  private kicked = new AbortController();
  private tries = 0;
  /** The next answer is wanted at once, also when there is nothing to tell. */
  private isInDoubt = true;
  private hasLostQueue = false;
  /** When something was told last. */
  private told = -Infinity;

  constructor(
    private readonly polling: Polling,
    private readonly world: World,
    private readonly through: typeof ask = ask,
  ) {}

  /**
   * Asks now, whatever it waits for, and soon again: the network is back, though perhaps not quite
   * yet, or time has passed in sleep.
   */
  kick(): void {
    this.tries = 0;
    this.kicked.abort();
  }

  /** Until `signal`; it throws what asking again cannot mend, such as a session's end. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.kick(), { once: true });
    let place: Place | undefined;
    while (!signal.aborted) {
      try {
        place ??= await this.begun();
        const events = await this.poll(place);
        this.tries = 0;
        this.polling.reached(true);
        if (signal.aborted || events.length === 0) continue;
        const from = place.last_event_id;
        place = { ...place, last_event_id: Math.max(from, ...events.map(({ id }) => id)) };
        const since = this.world.now() - this.told;
        this.told = this.world.now();
        await this.polling.took(place, from, events);
        // Single and first events are not delayed.
        if (since < 2 * TOGETHER_MS && !this.polling.isHidden()) await this.pause(TOGETHER_MS);
      } catch (error) {
        if (signal.aborted) return;
        if (place !== undefined && isLost(error)) place = undefined;
        await this.failed(error, place === undefined);
      }
    }
  }

  private async begun(): Promise<Place> {
    const place = this.hasLostQueue ? undefined : await this.polling.place();
    if (place) return place;
    const begun = await this.polling.begin();
    this.hasLostQueue = false;
    return begun;
  }

  private async failed(error: unknown, isWithoutQueue: boolean): Promise<void> {
    this.isInDoubt = true;
    if (this.kicked.signal.aborted) {
      this.kicked = new AbortController();
      if (!(error instanceof Refused)) return;
    }
    const isSomebody = this.polling.asking.user_id() !== undefined;
    if (isSomebody && isWithoutQueue && isLost(error) && !this.hasLostQueue) {
      this.hasLostQueue = true;
      this.tries += 1;
      // A queue that is lost immediately is not requested in a tight loop.
      if (this.tries > 1) await this.rest(0);
      return;
    }
    if (!(error instanceof Unanswered)) throw error;
    this.polling.reached(false);
    this.tries += 1;
    await this.rest(error.wait_ms);
  }

  private async poll({ queue_id, last_event_id }: Place): Promise<Event[]> {
    const silent = AbortSignal.timeout(SILENT_MS_MAX);
    const signal = AbortSignal.any([silent, this.kicked.signal]);
    const dont_block = this.isInDoubt ? true : undefined;
    const params = { queue_id, last_event_id, dont_block };
    try {
      const request = { method: "GET", path: "/events", params, signal } as const;
      const { events } = await this.through<Polled>(this.polling.asking, request);
      this.isInDoubt = false;
      return events;
    } catch (error) {
      if (silent.aborted) throw new Unanswered("the server was silent");
      throw error;
    }
  }

  private rest(least_ms: number): Promise<void> {
    return this.pause(Math.max(least_ms, backOff(Math.max(this.tries, 1), this.world.random())));
  }

  /** Until then, or until it is kicked. */
  private pause(ms: number): Promise<void> {
    const { signal } = this.kicked;
    return new Promise((resolve) => {
      const over = () => {
        cancel();
        signal.removeEventListener("abort", over);
        resolve();
      };
      const cancel = this.world.after(ms, over);
      signal.addEventListener("abort", over);
    });
  }
}

/** The server does not know the queue, or not where in it we are. */
function isLost(error: unknown): boolean {
  return error instanceof Refused && (error.status === BAD_REQUEST || error.status === NOT_FOUND);
}
