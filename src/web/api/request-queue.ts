// Sends requests by priority, within a rate budget, with retries where they help.
import { MINUTE_MS } from "../../contract/units.ts";
import { browserRuntime, type Runtime } from "./runtime.ts";
import { type RequestContext, ask, type Request, NoResponse } from "./http.ts";

/** Priorities of waiting requests. */
const ORDER = ["send", "flags", "view", "prefetch", "presence"] as const;
export type Priority = (typeof ORDER)[number];

export interface QueuedRequest extends Request {
  readonly priority: Priority;
  /** The request is idempotent and is retried until the server responds. */
  readonly isRetried?: boolean;
  /**
   * The caller stores the request and retries it later, so nothing is lost if the queue gives up.
   */
  readonly isStored?: boolean;
}

/**
 * The number of requests per minute after which a priority must wait. The server allows 200 per
 * user for all tabs and programs together; beyond 120, only messages are sent.
 */
const BUDGET: Readonly<Record<Priority, number>> = {
  send: 180,
  flags: 150,
  view: 120,
  prefetch: 90,
  presence: 100,
};
const PREFETCHES_PER_MINUTE = 30;
/** Browsers allow six connections for all tabs of a site; the poll uses one of them. */
const REQUESTS_AT_ONCE = 4;
const PREFETCHES_AT_ONCE = 2;
/** A connection may break silently; no response takes longer than this. */
const NO_RESPONSE_MS = 60_000;
/**
 * A request that was sent this recently may still get its response, even if the network changed
 * meanwhile.
 */
const RECENT_MS = 3000;
const RETRY_MS = 1000;
const RETRY_MS_MAX = 60_000;

interface WaitingRequest {
  readonly request: QueuedRequest;
  readonly ask: (signal: AbortSignal) => Promise<unknown>;
  readonly resolve: (response: never) => void;
  readonly reject: (error: unknown) => void;
  tries: number;
  notBefore: number;
  startedAt: number;
  giveUp: AbortController;
}

export class RequestQueue {
  private waiting: WaitingRequest[] = [];
  private running: WaitingRequest[] = [];
  private recent: { at: number; priority: Priority }[] = [];
  private cancelTimer: (() => void) | undefined;
  private last = -Infinity;

  constructor(
    readonly requestContext: RequestContext,
    private readonly runtime: Runtime = browserRuntime,
    private readonly send: typeof ask = ask,
  ) {}

  ask<T>(request: QueuedRequest): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const { signal: callerSignal } = request;
      const run = (input: AbortSignal) => {
        const signal = callerSignal ? AbortSignal.any([callerSignal, input]) : input;
        return this.send<T>(this.requestContext, { ...request, signal });
      };
      const giveUp = new AbortController();
      const before = { tries: 0, notBefore: 0, startedAt: 0, giveUp };
      this.waiting.push({ request, ask: run, resolve, reject, ...before });
      this.sendWaiting();
    });
  }

  /**
   * Called when the network is back. Retries all requests immediately, also those that wait for a
   * response over the lost connection, and retries soon if they fail again. `isAnother`: the
   * network is certainly another one, so even recent requests get no response.
   */
  retryNow(isAnother = false): void {
    const now = this.runtime.now();
    for (const { request, startedAt, giveUp } of this.running) {
      const canRetry = request.isRetried === true || request.isStored === true;
      const isFresh = !isAnother && Math.abs(now - startedAt) < RECENT_MS;
      if (canRetry && !isFresh) giveUp.abort(new NoResponse("the network was lost"));
    }
    for (const waitingRequest of this.running) waitingRequest.tries = 0;
    for (const waitingRequest of this.waiting) {
      waitingRequest.tries = 0;
      waitingRequest.notBefore = 0;
    }
    this.sendWaiting();
  }

  private sendWaiting(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    const now = this.runtime.now();
    if (now < this.last) this.startAnew();
    this.last = now;
    this.recent = this.recent.filter(({ at: time }) => time > now - MINUTE_MS);
    this.dropAborted();
    for (let next = this.next(now); next !== undefined; next = this.next(now))
      this.start(next, now);
    const nextTry = this.nextTryAt(now);
    if (nextTry !== undefined)
      this.cancelTimer = this.runtime.after(nextTry - now, () => this.sendWaiting());
  }

  /** If the clock was set back, the budget starts over, so that requests do not wait. */
  private startAnew(): void {
    this.recent = [];
    for (const waitingRequest of this.waiting) waitingRequest.notBefore = 0;
  }

  private next(now: number): WaitingRequest | undefined {
    if (this.running.length >= REQUESTS_AT_ONCE) return undefined;
    const ready = this.waiting.filter(
      (waitingRequest) => waitingRequest.notBefore <= now && this.hasBudget(waitingRequest.request),
    );
    return ready.reduce<WaitingRequest | undefined>((first, waitingRequest) => {
      return first === undefined || rankOf(waitingRequest) < rankOf(first) ? waitingRequest : first;
    }, undefined);
  }

  private hasBudget({ priority }: QueuedRequest): boolean {
    if (this.recent.length >= BUDGET[priority]) return false;
    if (priority !== "prefetch") return true;
    const isPrefetch = (item: { priority: Priority }) => item.priority === "prefetch";
    const runningCount = this.running.filter(({ request }) => isPrefetch(request)).length;
    const recent = this.recent.filter(isPrefetch).length;
    return runningCount < PREFETCHES_AT_ONCE && recent < PREFETCHES_PER_MINUTE;
  }

  private start(waitingRequest: WaitingRequest, now: number): void {
    this.waiting = this.waiting.filter((other) => other !== waitingRequest);
    this.running.push(waitingRequest);
    this.recent.push({ at: now, priority: waitingRequest.request.priority });
    const giveUp = new AbortController();
    waitingRequest.startedAt = now;
    waitingRequest.giveUp = giveUp;
    const silent = () => giveUp.abort(new NoResponse("the server was silent"));
    const cancel = this.runtime.after(NO_RESPONSE_MS, silent);
    waitingRequest
      .ask(giveUp.signal)
      .then(waitingRequest.resolve as (response: unknown) => void, (error: unknown) =>
        this.onRequestFailed(waitingRequest, error),
      )
      .finally(() => {
        cancel();
        this.running = this.running.filter((other) => other !== waitingRequest);
        this.sendWaiting();
      });
  }

  private onRequestFailed(waitingRequest: WaitingRequest, error: unknown): void {
    if (!(error instanceof NoResponse) || waitingRequest.request.isRetried !== true) {
      waitingRequest.reject(error);
      return;
    }
    waitingRequest.tries += 1;
    const wait = Math.max(error.wait_ms, backOff(waitingRequest.tries, this.runtime.random()));
    waitingRequest.notBefore = this.runtime.now() + wait;
    this.waiting.push(waitingRequest);
  }

  private dropAborted(): void {
    const isAborted = ({ request }: WaitingRequest) => request.signal?.aborted === true;
    const aborted = this.waiting.filter(isAborted);
    this.waiting = this.waiting.filter((waitingRequest) => !isAborted(waitingRequest));
    for (const { request, reject } of aborted) reject(request.signal?.reason);
  }

  /** When a waiting request may be sent: at its retry time, or when the budget's minute is over. */
  private nextTryAt(now: number): number | undefined {
    if (this.waiting.length === 0 || this.running.length >= REQUESTS_AT_ONCE) return undefined;
    const oldest = this.recent[0];
    const times = this.waiting.map((waitingRequest) =>
      waitingRequest.notBefore > now ? waitingRequest.notBefore : (oldest?.at ?? now) + MINUTE_MS,
    );
    return Math.min(...times);
  }
}

/** Within a priority, requests are sent in order. */
const rankOf = ({ request }: WaitingRequest) => ORDER.indexOf(request.priority);

/**
 * Doubles from a second to a minute, half of it random, so that clients do not retry
 * simultaneously.
 */
export function backOff(tries: number, random: number): number {
  const full = Math.min(RETRY_MS * 2 ** (tries - 1), RETRY_MS_MAX);
  return full / 2 + (full / 2) * random;
}
