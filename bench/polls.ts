// Many waiting polls in the load generator: each repeats when it is answered, or on request.
import { Wire } from "./wire.ts";

const EVENT = '"type":"message",';
const ID = '"id":';
const OPENED_AT_ONCE = 200;

export interface ParkedPolls {
  readonly port: number;
  readonly count: number;
  /** Delivered messages of all polls together. */
  readonly delivered: number;
  readonly lastAnswer: string;
  /** Makes answered polls wait instead of repeating. */
  hold(): void;
  /** Repeats all waiting polls. */
  release(): void;
  /** Resolves when this many messages were delivered. */
  untilDelivered(delivered: number): Promise<void>;
  close(): void;
}

/** Each request ends where the last event id is appended. */
export async function parkedPolls(
  port: number,
  polls: readonly { request: string; last: number }[],
): Promise<ParkedPolls> {
  const pollGroup = new PollGroup(port, polls.length);
  for (let index = 0; index < polls.length; index += OPENED_AT_ONCE) {
    const batch = polls.slice(index, index + OPENED_AT_ONCE);
    await Promise.all(batch.map(({ request, last }) => pollGroup.add(request, last)));
  }
  return pollGroup;
}

class PollGroup implements ParkedPolls {
  delivered = 0;
  lastAnswer = "";
  private readonly wires: Wire[] = [];
  private waiters: { target: number; resolve: () => void; reject: (error: Error) => void }[] = [];
  private error: Error | undefined;
  private queued: (() => void)[] | undefined;

  constructor(
    readonly port: number,
    readonly count: number,
  ) {}

  async add(request: string, last: number): Promise<void> {
    const wire = await Wire.open(this.port);
    this.wires.push(wire);
    const index = request.indexOf(" HTTP/1.1");
    const [head, tail] = [request.slice(0, index), request.slice(index)];
    const fail = (error: Error) => this.fail(error);
    const poll = () => wire.send(head + last + tail, handlePollResponse, fail);
    const handlePollResponse = (body: string) => {
      last = lastIdIn(body, last);
      if (this.queued) this.queued.push(poll);
      else poll();
      this.handleBody(body);
    };
    poll();
  }

  hold(): void {
    this.queued ??= [];
  }

  release(): void {
    const polls = this.queued ?? [];
    this.queued = undefined;
    for (const poll of polls) poll();
  }

  untilDelivered(target: number): Promise<void> {
    if (this.error) return Promise.reject(this.error);
    if (this.delivered >= target) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiters.push({ target, resolve, reject }));
  }

  close(): void {
    for (const wire of this.wires) wire.close();
  }

  private handleBody(body: string): void {
    this.lastAnswer = body;
    for (let index = body.indexOf(EVENT); index >= 0; index = body.indexOf(EVENT, index + 1))
      this.delivered++;
    if (this.waiters.every(({ target }) => target > this.delivered)) return;
    const ready = this.waiters.filter(({ target }) => target <= this.delivered);
    this.waiters = this.waiters.filter(({ target }) => target > this.delivered);
    for (const { resolve } of ready) resolve();
  }

  private fail(error: Error): void {
    this.error = error;
    for (const { reject } of this.waiters) reject(error);
    this.waiters = [];
  }
}

/** Skein's events end with their id; those of the minimal server begin with it. */
function lastIdIn(body: string, last: number): number {
  const index = body.lastIndexOf(ID);
  return index < 0 ? last : parseInt(body.slice(index + ID.length), 10);
}
