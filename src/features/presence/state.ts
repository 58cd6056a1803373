// Presence in memory, by user and in the order of updates.
import { perRealm, type Realm } from "../../realm.ts";
import type { Presence } from "../../schema/records-people.ts";
import type { PresenceTimes } from "./rules.ts";

/** Number of update ids that one transaction reserves, so that a crash repeats none. */
const NUMBERS_RESERVED = 10_000;
const SAVED_AT_ONCE_MAX = 1_000;
/** Superseded updates are removed from the order when there are this many more than users. */
const SUPERSEDED_MAX = 1_000;

export const presencesOf = perRealm((realm) => new Presences(realm));

class Presences {
  private readonly byUser = new Map<number, Presence>();
  /** Ascending by `update_id`; older updates of a user stay in it for a while. */
  private order: Presence[] = [];
  private unsaved = new Set<number>();
  private issued: number;
  private reserved: number;
  private reserving: Promise<void> | undefined;

  constructor(private readonly realm: Realm) {
    this.issued = this.reserved = realm.read.last("presence");
    for (const presence of realm.read.presences.range()) {
      this.byUser.set(presence.user_id, presence);
      this.order.push(presence);
    }
    this.order.sort((a, b) => a.update_id - b.update_id);
  }

  get(user_id: number): Presence | undefined {
    return this.byUser.get(user_id);
  }

  /** Resolves when at least one reserved id is available. */
  async ready(): Promise<void> {
    while (this.issued >= this.reserved) {
      this.reserving ??= this.reserve().finally(() => (this.reserving = undefined));
      await this.reserving;
    }
  }

  private async reserve(): Promise<void> {
    const from = this.reserved;
    this.reserved = await this.realm.write((tx) => tx.next("presence", NUMBERS_RESERVED));
    this.issued = Math.max(from, this.reserved - NUMBERS_RESERVED);
  }

  /** Call only in the same synchronous turn in which `ready` resolved. */
  put(user_id: number, { active_timestamp, idle_timestamp }: PresenceTimes): Presence {
    if (this.issued >= this.reserved) throw new Error("a presence change without a number");
    const update_id = ++this.issued;
    const presence = { user_id, active_timestamp, idle_timestamp, update_id };
    this.byUser.set(user_id, presence);
    this.order.push(presence);
    this.unsaved.add(user_id);
    if (this.order.length > this.byUser.size + SUPERSEDED_MAX) {
      this.order = this.order.filter((change) => this.isNewest(change));
    }
    return presence;
  }

  /** The newest update of each user that has one after this number, oldest first. */
  *after(update_id: number): Iterable<Presence> {
    // An id that was never issued comes from other data and is meaningless here.
    const fromUpdateId = update_id > this.issued ? -1 : update_id;
    for (let index = this.indexAfter(fromUpdateId); index < this.order.length; index++) {
      const change = this.order[index]!;
      if (this.isNewest(change)) yield change;
    }
  }

  /** Stores changes in batches, so that no transaction grows with the number of users. */
  async save(): Promise<void> {
    const user_ids = [...this.unsaved];
    this.unsaved = new Set();
    for (let index = 0; index < user_ids.length; index += SAVED_AT_ONCE_MAX) {
      const batch = user_ids.slice(index, index + SAVED_AT_ONCE_MAX);
      try {
        await this.realm.write((tx) => {
          for (const user_id of batch) tx.presences.put(this.byUser.get(user_id)!);
        });
      } catch (error) {
        for (const user_id of user_ids.slice(index)) this.unsaved.add(user_id);
        throw error;
      }
    }
  }

  private isNewest(change: Presence): boolean {
    return this.byUser.get(change.user_id) === change;
  }

  private indexAfter(update_id: number): number {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.order[middle]!.update_id > update_id) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
