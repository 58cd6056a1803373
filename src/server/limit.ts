// Rate limits: counts calls within a time window and reports when there are too many.
import { DAY_SECONDS } from "../contract/units.ts";
import type { Clock } from "../realm.ts";

/** Maximum of known callers. Beyond it, the oldest are removed. */
const BUCKETS_MAX = 100_000;

export interface Rule {
  readonly calls: number;
  readonly seconds: number;
}

export const API_BY_USER: Rule = { calls: 200, seconds: 60 };
export const API_BY_ADDRESS: Rule = { calls: 100, seconds: 60 };
/** The limit for pages, by user, or by IP address, which a whole office may share. */
export const PAGES: Rule = { calls: 300, seconds: 60 };
/** The limit for spectators, by file. */
export const SPECTATORS_BY_FILE: Rule = { calls: 1000, seconds: DAY_SECONDS };
/** Failed sign-ins, by the name that was entered. */
export const SIGN_IN_BY_NAME: Rule = { calls: 5, seconds: 1800 };

/** State of a rate limit after a request. */
export interface RateLimit {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in milliseconds since 1970. */
  readonly reset_ms: number;
  /** Seconds until then. */
  readonly retry_after: number;
}

interface Bucket {
  used: number;
  end_ms: number;
}

/** A window starts with the first call of a caller and counts until it ends. */
export class Limiter {
  /** The windows in the order in which they end, because all have the same length. */
  private readonly buckets = new Map<string | number, Bucket>();

  constructor(
    private readonly clock: Pick<Clock, "now">,
    private readonly rule: Rule,
  ) {}

  get size() {
    return this.buckets.size;
  }

  /** Counts one call, or `count` calls, unless that would exceed the limit. */
  take(clientKey: string | number, count = 1): RateLimit {
    const now = this.clock.now();
    this.sweep(now);
    const bucket = this.buckets.get(clientKey) ?? this.openBucket(clientKey, now);
    const allowed = bucket.used + count <= this.rule.calls;
    if (allowed) bucket.used += count;
    return this.rateLimit(bucket, allowed, now);
  }

  /** The state, without counting a request. */
  peek(clientKey: string | number): RateLimit {
    const now = this.clock.now();
    this.sweep(now);
    const bucket = this.buckets.get(clientKey) ?? {
      used: 0,
      end_ms: now + this.rule.seconds * 1000,
    };
    return this.rateLimit(bucket, bucket.used < this.rule.calls, now);
  }

  /** Uncounts one call. */
  giveBack(clientKey: string | number) {
    const bucket = this.buckets.get(clientKey);
    if (bucket !== undefined && bucket.used > 0) bucket.used -= 1;
  }

  forget(clientKey: string | number) {
    this.buckets.delete(clientKey);
  }

  private openBucket(clientKey: string | number, now: number): Bucket {
    const bucket = { used: 0, end_ms: now + this.rule.seconds * 1000 };
    if (this.buckets.size >= BUCKETS_MAX) this.forgetFirst();
    this.buckets.set(clientKey, bucket);
    return bucket;
  }

  private sweep(now: number) {
    for (const [clientKey, bucket] of this.buckets) {
      if (bucket.end_ms > now) return;
      this.buckets.delete(clientKey);
    }
  }

  private forgetFirst() {
    for (const clientKey of this.buckets.keys()) {
      this.buckets.delete(clientKey);
      return;
    }
  }

  private rateLimit(bucket: Bucket, allowed: boolean, now: number): RateLimit {
    return {
      allowed,
      limit: this.rule.calls,
      remaining: this.rule.calls - bucket.used,
      reset_ms: bucket.end_ms,
      retry_after: allowed ? 0 : (bucket.end_ms - now) / 1000,
    };
  }
}
