// Splits a request that subscribes or unsubscribes many users into several transactions.
import type { Writer } from "../../../realm.ts";
import type { BulkSubscribePart, Channel, User } from "../../../schema/records.ts";
import { announceChannels } from "./announcements.ts";

/** The job that continues bulk subscribes after a stop or crash. */
export const BULK_SUBSCRIBE = "join crowd";
const RESUME_AFTER_MS = 2_000;

/** Maximum number of new subscriptions in one transaction. */
export const SUBSCRIBED_AT_ONCE_MAX = 1_000;
/** If a request ends more subscriptions, it takes several transactions. */
export const UNSUBSCRIBED_AT_ONCE_MAX = 10;

/**
 * Selects who is subscribed or unsubscribed in the first transaction: everyone, or the caller first
 * and the others later.
 */
export class BulkSubscribe {
  readonly #isLarge: boolean;
  readonly #parts: Omit<BulkSubscribePart, "bulk_id" | "nth">[] = [];

  constructor(
    private readonly actingUser: User,
    subscriptions: number,
    max = SUBSCRIBED_AT_ONCE_MAX,
  ) {
    this.#isLarge = subscriptions > max;
  }

  /** Whether a later transaction changes the subscriptions of this user. */
  waits(user: User): boolean {
    return this.#isLarge && user.user_id !== this.actingUser.user_id;
  }

  store(
    users: readonly User[],
    stream_id: number,
    change: Pick<BulkSubscribePart, "color" | "removed_count">,
  ): void {
    for (let index = 0; index < users.length; index += SUBSCRIBED_AT_ONCE_MAX) {
      const user_ids = users
        .slice(index, index + SUBSCRIBED_AT_ONCE_MAX)
        .map((user) => user.user_id);
      this.#parts.push({ stream_id, user_ids, ...change });
    }
  }

  /**
   * Announces new channels if everyone is subscribed. Otherwise returns a number with which
   * `finishBulkSubscribe` or the job continues.
   */
  settle(tx: Writer, channels: readonly Channel[], announce = false): number | undefined {
    if (this.#parts.length === 0) {
      announceChannels(tx, this.actingUser, channels, announce);
      return undefined;
    }
    const job_at = tx.now * 1000 + RESUME_AFTER_MS;
    const bulk_id = tx.enqueue(BULK_SUBSCRIBE, job_at, null);
    const made_ids = channels.map((channel) => channel.stream_id);
    tx.bulk_subscribes.put({
      bulk_id,
      job_at,
      user_id: this.actingUser.user_id,
      made_ids,
      announce,
    });
    for (const [nth, part] of this.#parts.entries())
      tx.bulk_subscribe_parts.put({ bulk_id, nth, ...part });
    return bulk_id;
  }
}
