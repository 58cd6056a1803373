// The poll that all tabs of a browser share; events are stored before they are acknowledged.
import { backOff } from "../api/request-queue.ts";
import type { Runtime } from "../api/runtime.ts";
import type { PollResponse } from "../api/calls.ts";
import { type RequestContext, ask, NoResponse } from "../api/http.ts";
import { ApiError } from "../contract/api-error.ts";
import type { Event } from "../contract/snapshot.ts";
import type { Cursor } from "./layout.ts";

/** The server sends something every 55 seconds; a connection that is silent for longer is dead. */
const SILENCE_MS_MAX = 75_000;
/** Events within this time are applied together, so that the page is rendered once. */
const BATCH_MS = 100;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;

/** The interface of the poll's owner. */
export interface Polling {
  readonly requestContext: RequestContext;
  /** The position of the session's last poll. */
  cursor(): Promise<Cursor | undefined>;
  /** Registers, because there is no queue or it was lost. */
  begin(): Promise<Cursor>;
  /**
   * Stores and broadcasts the events after `from`; only then does the next poll acknowledge them.
   */
  onEvents(cursor: Cursor, from: number, events: readonly Event[]): Promise<void>;
  /** Called when the server starts or stops responding. */
  onReachable(isReached: boolean): void;
  /** Timers of hidden pages are late by a second or more, which would delay other tabs. */
  isHidden(): boolean;
}

export class Poller {
  private wakeUp = new AbortController();
  private tries = 0;
  /** Whether the next response is needed immediately, even if it contains no events. */
  private isInDoubt = true;
  private hasLostQueue = false;
  /** When events were last broadcast. */
  private broadcastAt = -Infinity;

  constructor(
    private readonly polling: Polling,
    private readonly runtime: Runtime,
    private readonly send: typeof ask = ask,
  ) {}

  /**
   * Polls now and soon again: the network is back, though it may need a moment, or the machine was
   * asleep.
   */
  checkNow(): void {
    this.tries = 0;
    this.wakeUp.abort();
  }

  /**
   * Runs until `signal`; throws errors that retrying cannot fix, such as the end of the session.
   */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.checkNow(), { once: true });
    let cursor: Cursor | undefined;
    while (!signal.aborted) {
      try {
        cursor ??= await this.startQueue();
        const events = await this.poll(cursor);
        this.tries = 0;
        this.polling.onReachable(true);
        if (signal.aborted || events.length === 0) continue;
        const from = cursor.last_event_id;
        cursor = { ...cursor, last_event_id: Math.max(from, ...events.map(({ id }) => id)) };
        const since = this.runtime.now() - this.broadcastAt;
        this.broadcastAt = this.runtime.now();
        await this.polling.onEvents(cursor, from, events);
        // Single and first events are not delayed.
        if (since < 2 * BATCH_MS && !this.polling.isHidden()) await this.pause(BATCH_MS);
      } catch (error) {
        if (signal.aborted) return;
        if (cursor !== undefined && isQueueLost(error)) cursor = undefined;
        await this.onPollFailed(error, cursor === undefined);
      }
    }
  }

  private async startQueue(): Promise<Cursor> {
    const cursor = this.hasLostQueue ? undefined : await this.polling.cursor();
    if (cursor) return cursor;
    const started = await this.polling.begin();
    this.hasLostQueue = false;
    return started;
  }

  private async onPollFailed(error: unknown, isWithoutQueue: boolean): Promise<void> {
    this.isInDoubt = true;
    if (this.wakeUp.signal.aborted) {
      this.wakeUp = new AbortController();
      if (!(error instanceof ApiError)) return;
    }
    const isSomebody = this.polling.requestContext.user_id() !== undefined;
    if (isSomebody && isWithoutQueue && isQueueLost(error) && !this.hasLostQueue) {
      this.hasLostQueue = true;
      this.tries += 1;
      // A queue that is lost immediately is not requested in a tight loop.
      if (this.tries > 1) await this.pauseAfterFailure(0);
      return;
    }
    if (!(error instanceof NoResponse)) throw error;
    this.polling.onReachable(false);
    this.tries += 1;
    await this.pauseAfterFailure(error.wait_ms);
  }

  private async poll({ queue_id, last_event_id }: Cursor): Promise<Event[]> {
    const silent = AbortSignal.timeout(SILENCE_MS_MAX);
    const signal = AbortSignal.any([silent, this.wakeUp.signal]);
    const dont_block = this.isInDoubt ? true : undefined;
    const params = { queue_id, last_event_id, dont_block };
    try {
      const request = { method: "GET", path: "/events", params, signal } as const;
      const { events } = await this.send<PollResponse>(this.polling.requestContext, request);
      this.isInDoubt = false;
      return events;
    } catch (error) {
      if (silent.aborted) throw new NoResponse("the server was silent");
      throw error;
    }
  }

  private pauseAfterFailure(least_ms: number): Promise<void> {
    return this.pause(Math.max(least_ms, backOff(Math.max(this.tries, 1), this.runtime.random())));
  }

  /** Resolves after this time, or when `checkNow` is called. */
  private pause(ms: number): Promise<void> {
    const { signal } = this.wakeUp;
    return new Promise((resolve) => {
      const finishPause = () => {
        cancel();
        signal.removeEventListener("abort", finishPause);
        resolve();
      };
      const cancel = this.runtime.after(ms, finishPause);
      signal.addEventListener("abort", finishPause);
    });
  }
}

/** The server does not know the queue, or not the position in it. */
function isQueueLost(error: unknown): boolean {
  return error instanceof ApiError && (error.status === BAD_REQUEST || error.status === NOT_FOUND);
}
