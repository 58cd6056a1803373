// Sent messages: on disk before they are sent, until the server has stored each of them once.
import { HOUR_MS } from "../../contract/units.ts";
import type { World } from "../api/ask.ts";
import type { Able } from "../api/call.ts";
import { sendMessage } from "../api/deed-calls.ts";
import { Refused, toTryAgain } from "../api/http.ts";
import { byOrder, type Job, type Line, type Order } from "./line.ts";
import type { Rows } from "./rows.ts";

/** The destination of a message. */
export type Target =
  | { readonly type: "channel"; readonly stream_id: number; readonly topic: string }
  | { readonly type: "direct"; readonly user_ids: readonly number[] };

export interface Outgoing {
  /** `<tab>.<number>`; the event of the message tells it. */
  readonly local_id: string;
  /** The server recognizes a repeated message by it for a day after the first try. */
  readonly idempotency_key: string;
  readonly target: Target;
  readonly text: string;
  /** When it was written, in milliseconds since 1970. */
  readonly made: number;
  /** Its place among all that was done; missing where an earlier version kept it. */
  readonly order?: number;
  readonly first_tried: number | null;
  /**
   * `waiting`: not sent yet. `sent`: the server has it, as message `id`. `refused`: with the
   * server's words. `unsure`: it may have arrived, and the server would not know it again.
   */
  readonly state: "waiting" | "sent" | "refused" | "unsure";
  readonly id?: number;
  readonly words?: string;
}

/** A message that was just sent. */
export interface Sent {
  readonly outgoing: Outgoing;
  /** When it is on the disk, or the disk takes nothing: until then it is in this tab alone. */
  readonly kept: Promise<void>;
}

/** The server remembers a try for a day; clocks differ. */
const SURE_MS = 20 * HOUR_MS;

export interface Sending {
  readonly able: Able;
  readonly rows: Rows<Outgoing>;
  readonly world: World;
  /** Shared with what else was done to messages, which goes in the same order. */
  readonly line: Line;
  readonly order: Order;
  /** Names for this tab and for each message, that no other has. */
  uniqueName(): string;
  /** The queue whose events tell `local_message_id`. */
  queueId(): string | undefined;
  /** All messages up to this one have been told of, or were there when one began to listen. */
  newest(): number;
  changed(): void;
}

export class Outbox {
  /** In the order of their making. */
  readonly outgoing = new Map<string, Outgoing>();
  private readonly tab: string;
  private count = 0;
  /** On their way to the disk. */
  private readonly unkept = new Set<string>();
  /** False: the disk takes nothing, and what waits is lost with the tab. */
  isKept = true;

  constructor(private readonly sending: Sending) {
    this.tab = sending.uniqueName();
    sending.line.add(() => this.next());
  }

  /**
   * Messages of earlier tabs. Another tab may be sending them, but the server stores each only
   * once.
   */
  async load(): Promise<void> {
    for (const row of (await this.sending.rows.all()).sort(byOrder)) {
      this.sending.order.note(row.order ?? 0);
      this.outgoing.set(row.local_id, row);
    }
    this.sending.changed();
    await this.caughtUp();
  }

  /** Displays the message at once, and sends it when it is stored. */
  send(target: Target, text: string): Sent {
    const { uniqueName, world } = this.sending;
    const outgoing: Outgoing = {
      local_id: `${this.tab}.${(this.count += 1)}`,
      idempotency_key: uniqueName(),
      target,
      text,
      made: world.now(),
      order: this.sending.order.next(),
      first_tried: null,
      state: "waiting",
    };
    return { outgoing, kept: this.begin(outgoing) };
  }

  private async begin(row: Outgoing): Promise<void> {
    this.outgoing.set(row.local_id, row);
    this.unkept.add(row.local_id);
    this.sending.changed();
    await this.put(row);
    this.unkept.delete(row.local_id);
    this.hurry();
  }

  /** The person says so of what was refused, or of what may have arrived. */
  async again(local_id: string): Promise<void> {
    const row = this.outgoing.get(local_id);
    if (row === undefined) return;
    const idempotency_key = this.sending.uniqueName();
    await this.keep({ ...row, idempotency_key, first_tried: null, state: "waiting" });
    this.hurry();
  }

  async discard(local_id: string): Promise<void> {
    this.outgoing.delete(local_id);
    this.sending.changed();
    await this.sending.rows.delete(local_id);
  }

  /** A message has come: what became of it goes. */
  async arrived({ id, local_message_id }: { id: number; local_message_id?: string }) {
    for (const { local_id, state, id: sent } of this.outgoing.values()) {
      if (local_id !== local_message_id && !(state === "sent" && sent === id)) continue;
      await this.discard(local_id);
    }
  }

  /** After a lost queue, messages may arrive without an event. */
  async caughtUp(): Promise<void> {
    const newest = this.sending.newest();
    for (const { local_id, state, id = Infinity } of this.outgoing.values()) {
      if (state === "sent" && id <= newest) await this.discard(local_id);
    }
  }

  /** Tries now: something was written, the network is back, or the tab is looked at. */
  hurry(): void {
    this.sending.line.hurry();
  }

  private next(): Job | undefined {
    const row = [...this.outgoing.values()].find(({ state }) => state === "waiting");
    // Later messages are sent after it.
    if (!row || this.unkept.has(row.local_id)) return undefined;
    return { order: row.order ?? 0, run: () => this.attempt(row) };
  }

  private async attempt(row: Outgoing): Promise<void> {
    const { able, world } = this.sending;
    const now = world.now();
    const first_tried = row.first_tried ?? now;
    // A clock that was set back says nothing of how long ago that was.
    if (Math.abs(now - first_tried) > SURE_MS) return this.keep({ ...row, state: "unsure" });
    if (row.first_tried === null) await this.keep({ ...row, first_tried });
    try {
      const headers = { "Idempotency-Key": row.idempotency_key };
      const more = { headers, isKept: true };
      const { id } = await sendMessage(able, this.paramsOf(row), more);
      if (!this.outgoing.has(row.local_id)) return;
      await this.keep({ ...row, first_tried, state: "sent", id });
      await this.caughtUp();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      toTryAgain(error);
      await this.keep({ ...row, first_tried, state: "refused", words: error.words });
    }
  }

  private paramsOf({ target, text, local_id }: Outgoing) {
    const isToChannel = target.type === "channel";
    return {
      type: target.type,
      to: JSON.stringify(isToChannel ? target.stream_id : target.user_ids),
      topic: isToChannel ? target.topic : undefined,
      content: text,
      local_id,
      queue_id: this.sending.queueId(),
      read_by_sender: true,
    };
  }

  private async keep(row: Outgoing): Promise<void> {
    await this.put(row);
    this.outgoing.set(row.local_id, row);
    this.sending.changed();
  }

  private put(row: Outgoing): Promise<void> {
    const noted = (is: boolean) => void (this.isKept = is);
    return this.sending.rows.put(row).then(
      () => noted(true),
      () => noted(false),
    );
  }
}
