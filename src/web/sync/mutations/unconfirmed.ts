// Optimistic events that the server has not confirmed yet, recognized in the events that it sends.
import type { Event, LocalEvent } from "../../contract/snapshot.ts";

/** Fields that only the server knows: its clock, rendering and results. */
const SERVER_ONLY_FIELD = /^(edit_timestamp|last_updated|flags|orig_content|rendered_content)$/;

/** Whether the server's event says the same, apart from fields that only the server knows. */
const confirms = (event: Event, local: LocalEvent): boolean =>
  Object.entries(local).every(
    ([field, value]) =>
      SERVER_ONLY_FIELD.test(field) ||
      // The server moves the whole topic. The client knows only some of its messages.
      (field === "message_ids" && local.type === "update_message") ||
      isSame(value, event[field as keyof Event]),
  );

export const isSame = (first: unknown, other: unknown): boolean =>
  JSON.stringify(first) === JSON.stringify(other);

interface Unconfirmed {
  /** Key of the mutation. */
  readonly key: string;
  readonly local: LocalEvent;
}

/** Changes of the same object are confirmed in order, others independently. */
function isSameChange(local: LocalEvent, event: Event): boolean {
  if (local.type !== event.type) return false;
  const [first, other] = [messagesOf(local), messagesOf(event)];
  return first === undefined || other === undefined || first.some((id) => other.includes(id));
}

/** The messages of an event. Undefined if it is of no messages. */
function messagesOf(event: LocalEvent | Event): readonly number[] | undefined {
  const { message_id, message_ids, messages } = event as {
    readonly message_id?: number;
    readonly message_ids?: readonly number[];
    readonly messages?: readonly number[];
  };
  return messages ?? message_ids ?? (message_id === undefined ? undefined : [message_id]);
}

/** The server's events of some changes differ, so these would never be confirmed. */
const EVENTS_MAX = 100;

export class UnconfirmedEvents {
  private rows: readonly Unconfirmed[] = [];
  private readonly confirmed = new WeakSet<LocalEvent>();

  /** The server assigns the id of a submessage, so that its event is not recognized. */
  add(key: string, events: readonly LocalEvent[]): void {
    const recognizable = events.filter(({ type }) => type !== "submessage");
    const rows = [...this.rows, ...recognizable.map((local) => ({ key, local }))];
    this.rows = rows.slice(-EVENTS_MAX);
  }

  forget(key: string): void {
    this.rows = this.rows.filter((row) => row.key !== key);
  }

  /** Forgets the other mutations: a new state contains them, and their events never arrive. */
  keepOnly(isOpen: (key: string) => boolean): void {
    this.rows = this.rows.filter(({ key }) => isOpen(key));
  }

  /**
   * Returns the events that the server has not confirmed yet. Confirmed ones are not applied again,
   * since they may be outdated.
   */
  stillUnconfirmed(events: readonly LocalEvent[]): LocalEvent[] {
    return events.filter((event) => !this.confirmed.has(event));
  }

  /**
   * Returns the keys of confirmed mutations, and later optimistic events on the same objects, which
   * the received events have overwritten.
   */
  confirmByEvents(events: readonly Event[]): {
    confirmed: string[];
    overwritten: readonly Unconfirmed[];
  } {
    const confirmed = events.flatMap((event) => this.confirm(event) ?? []);
    const isOverwritten = ({ local }: Unconfirmed) =>
      confirmed.some(({ event }) => isSameChange(local, event));
    return {
      confirmed: confirmed.map(({ key }) => key),
      overwritten: this.rows.filter(isOverwritten),
    };
  }

  /** Finds the mutation of an event. Earlier ones on the same object are confirmed as well. */
  private confirm(event: Event): { key: string; event: Event } | undefined {
    const position = this.rows.findIndex(({ local }) => confirms(event, local));
    const unconfirmed = this.rows[position];
    if (!unconfirmed) return undefined;
    this.confirmed.add(unconfirmed.local);
    this.rows = this.rows.filter(
      (row, index) => index > position || !isSameChange(row.local, event),
    );
    return { key: unconfirmed.key, event };
  }
}
