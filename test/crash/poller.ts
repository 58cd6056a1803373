// A client that polls one queue through all restarts, and records its events.
import type { RandomChance } from "../store/sample-schema.ts";
import type { Json, Params } from "../test-server.ts";
import type { Client } from "./client.ts";
import type { Person } from "./server.ts";

/** Loses the response to one request in this many. */
const ANSWERS_PER_LOSS = 12;
const RETRY_MS = 10;

export class Poller {
  readonly events: Json[] = [];
  readonly faults: string[] = [];
  /** No longer polling: later events are not expected here. */
  isGone = false;
  last: number;

  constructor(
    readonly name: Person,
    readonly client: Client,
    readonly form: Params,
    readonly registered: Json,
    private readonly random: RandomChance,
  ) {
    this.last = registered.last_event_id;
  }

  static async open(
    name: Person,
    client: Client,
    form: Params,
    random: RandomChance,
  ): Promise<Poller> {
    const { body } = await client.requestUntilSuccess("POST /register", form);
    return new Poller(name, client, form, body, random);
  }

  get queue_id(): string {
    return this.registered.queue_id;
  }

  /** Continues polling through restarts of the server. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver() && this.faults.length === 0) {
      if ((await this.poll(false)) === undefined) await Bun.sleep(RETRY_MS);
    }
  }

  /** Fetches pending events, up to this event or all of them. */
  async catchUp(until: number): Promise<void> {
    while (this.faults.length === 0 && this.last < until) if ((await this.poll(true)) === 0) break;
  }

  async leave(): Promise<void> {
    this.isGone = true;
    await this.client.requestUntilSuccess("DELETE /events", { queue_id: this.queue_id });
  }

  /** Fetches all pending events; returns their number without restart events. */
  async drain(): Promise<number> {
    const before = this.events.length;
    while (this.faults.length === 0) if ((await this.poll(true)) === 0) break;
    return this.events.slice(before).filter(({ type }) => type !== "restart").length;
  }

  /** undefined: the response was lost, so the next poll repeats the request. */
  private async poll(dont_block: boolean): Promise<number | undefined> {
    const { queue_id, last } = this;
    const params = { queue_id, last_event_id: last, dont_block };
    const response = await this.client.request("GET /events", params);
    if (!response || this.random.once(ANSWERS_PER_LOSS)) return undefined;
    const { status, body } = response;
    if (body.result !== "success") {
      this.faults.push(`a poll at ${last} → ${status} ${JSON.stringify(body)}`);
      return undefined;
    }
    if (body.queue_id !== queue_id) this.faults.push(`a poll answered for ${body.queue_id}`);
    for (const event of body.events) this.addEvent(event);
    return body.events.length;
  }

  private addEvent(event: Json): void {
    if (!(event.id > this.last)) this.faults.push(`event ${event.id} came after ${this.last}`);
    this.last = event.id;
    this.events.push(event);
  }
}
