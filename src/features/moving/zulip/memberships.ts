// When users were subscribed to channels, from the audit log or from the messages they have.
import type { Subscription } from "../../../schema/records.ts";
import { int, text, type ZulipRow } from "./read/rows.ts";
import type { ZulipExport } from "./read/source.ts";

const JOIN_EVENTS = [301, 302, "subscription_created", "subscription_activated"];
const LEAVE_EVENTS = [303, "subscription_deactivated"];
/** The event id at the ends of an interval: the first one, which no client has received. */
const EVENT = 1;
const OPEN = 0;
const CHANNELS_MAX = 2 ** 24;

export class Memberships {
  /** The newest message id at each subscription and unsubscription in turn, by user and channel. */
  private readonly events = new Map<number, number[]>();
  /** The first and last message that a user has, by user and channel. */
  private readonly messages = new Map<number, [number, number]>();

  static async read(source: ZulipExport): Promise<Memberships> {
    const memberships = new Memberships();
    for await (const { row } of source.rows("zerver_realmauditlog")) memberships.addMembership(row);
    return memberships;
  }

  /** If false, the messages that users have determine when they were subscribed. */
  get hasEvents(): boolean {
    return this.events.size > 0;
  }

  notice(user_id: number, stream_id: number, message_id: number): void {
    const key = keyOf(user_id, stream_id);
    const range = this.messages.get(key);
    if (!range) this.messages.set(key, [message_id, message_id]);
    else {
      range[0] = Math.min(range[0], message_id);
      range[1] = Math.max(range[1], message_id);
    }
  }

  /** `newest`: the highest message id. The interval of a deactivated user ends there. */
  apply(sub: Subscription, isActive: boolean, newest: number): Subscription {
    const { user_id, stream_id, active } = sub;
    const isOpen = active && isActive;
    const spans = this.spansOf(keyOf(user_id, stream_id), newest);
    const last = spans.at(-1);
    if (last && isOpen) last[1] = OPEN;
    else if (last && last[1] === OPEN) last[1] = newest;
    else if (!last && isOpen) spans.push([newest + 1, OPEN]);
    const closed = spans.filter(([from, to]) => to === OPEN || from <= to);
    return {
      ...sub,
      active: isOpen,
      suspended: active && !isActive,
      intervals: closed.flatMap(([from, to]) => [from, EVENT, to, to === OPEN ? OPEN : EVENT]),
    };
  }

  private spansOf(key: number, newest: number): [number, number][] {
    const events = this.events.get(key);
    if (events) {
      const spans: [number, number][] = [];
      for (let index = 0; index < events.length; index += 2) {
        spans.push([events[index]! + 1, events[index + 1] ?? OPEN]);
      }
      // 0 would mean that the interval is open.
      return spans.filter(([from, to]) => to !== 0 || from <= newest + 1);
    }
    const range = this.messages.get(key);
    return range ? [[range[0], range[1]]] : [];
  }

  private addMembership(row: ZulipRow): void {
    const type = int(row, "event_type") ?? text(row, "event_type") ?? 0;
    const isJoining = JOIN_EVENTS.includes(type);
    if (!isJoining && !LEAVE_EVENTS.includes(type)) return;
    const [user_id, stream_id] = [int(row, "modified_user"), int(row, "modified_stream")];
    const newest = int(row, "event_last_message_id");
    if (user_id === undefined || stream_id === undefined) return;
    const key = keyOf(user_id, stream_id);
    const events = this.events.get(key) ?? [];
    // Ignores joining twice and leaving without joining.
    if ((events.length % 2 === 0) !== isJoining) return;
    events.push(Math.max(0, newest ?? 0));
    this.events.set(key, events);
  }
}

const keyOf = (user_id: number, stream_id: number) => user_id * CHANNELS_MAX + stream_id;
