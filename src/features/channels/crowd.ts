// Subscribing a crowd: in as many transactions as it takes, so that nobody else waits for it.
import type { Realm, Writer } from "../../realm.ts";
import type { Channel, Crowd as CrowdRow, CrowdPart, DueJob, User } from "../../records.ts";
import { tellOfNew } from "./news.ts";
import { subscribe } from "./subscribe.ts";

/** The job that takes up crowds that a stop or a crash interrupted. */
export const JOIN_CROWD = "join crowd";
const RESUME_AFTER_MS = 2_000;

/** So many subscriptions begin in one transaction; of more, so many in each of several. */
export const SUBSCRIBED_AT_ONCE_MAX = 1_000;

/** Whom one request subscribes: everyone at once, or first the person who asks, then the others. */
export class Crowd {
  readonly #isLarge: boolean;
  readonly #parts: Omit<CrowdPart, "crowd_id" | "nth">[] = [];

  constructor(
    private readonly by: User,
    subscriptions: number,
  ) {
    this.#isLarge = subscriptions > SUBSCRIBED_AT_ONCE_MAX;
  }

  /** Does a later transaction subscribe this person? */
  waits(user: User): boolean {
    return this.#isLarge && user.user_id !== this.by.user_id;
  }

  keep(users: readonly User[], stream_id: number, color: string | undefined): void {
    for (let at = 0; at < users.length; at += SUBSCRIBED_AT_ONCE_MAX) {
      const user_ids = users.slice(at, at + SUBSCRIBED_AT_ONCE_MAX).map((user) => user.user_id);
      this.#parts.push({ stream_id, color: color ?? null, user_ids });
    }
  }

  /**
   * Tells of the channels that were made, if everyone is in them. Gives a number if not: then
   * `finishCrowd` goes on, or the job does.
   */
  settle(tx: Writer, made: readonly Channel[], announce = false): number | undefined {
    if (this.#parts.length === 0) {
      tellOfNew(tx, this.by, made, announce);
      return undefined;
    }
    const job_at = tx.now * 1000 + RESUME_AFTER_MS;
    const crowd_id = tx.enqueue(JOIN_CROWD, job_at, null);
    const made_ids = made.map((channel) => channel.stream_id);
    tx.crowds.put({ crowd_id, job_at, user_id: this.by.user_id, made_ids, announce });
    for (const [nth, part] of this.#parts.entries()) tx.crowd_parts.put({ crowd_id, nth, ...part });
    return crowd_id;
  }
}

/** Subscribes who is left, a step a transaction. */
export async function finishCrowd(realm: Realm, crowd_id: number | undefined): Promise<void> {
  if (crowd_id !== undefined) await realm.inSteps((tx) => joinSome(tx, crowd_id));
}

/** The job. */
export function resumeCrowd(realm: Realm, { job_id }: DueJob): Promise<void> {
  return finishCrowd(realm, job_id);
}

/** Is anyone left? Without this crowd, somebody else has finished it. */
function joinSome(tx: Writer, crowd_id: number): boolean {
  const crowd = tx.crowds.get(crowd_id);
  if (!crowd) return false;
  let begun = 0;
  for (const part of tx.crowd_parts.range({ from: [crowd_id], to: [crowd_id + 1] })) {
    begun += part.user_ids.length;
    if (begun > SUBSCRIBED_AT_ONCE_MAX) return true;
    joinPart(tx, part);
  }
  conclude(tx, crowd);
  return false;
}

/** Whose account went off meanwhile is left out, and an archived channel takes nobody. */
function joinPart(tx: Writer, { crowd_id, nth, stream_id, color, user_ids }: CrowdPart): void {
  tx.crowd_parts.delete(crowd_id, nth);
  const channel = tx.channels.get(stream_id)!;
  if (channel.is_archived) return;
  const people = user_ids.map((id) => tx.users.get(id)!).filter((user) => user.is_active);
  subscribe(tx, null, people, [channel], color === null ? { inTurn: true } : { color });
}

function conclude(tx: Writer, { crowd_id, job_at, user_id, made_ids, announce }: CrowdRow): void {
  tx.crowds.delete(crowd_id);
  tx.due.delete(job_at, crowd_id);
  const made = made_ids.map((id) => tx.channels.get(id)!).filter((made) => !made.is_archived);
  tellOfNew(tx, tx.users.get(user_id)!, made, announce);
}
