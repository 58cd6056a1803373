// The load generator: a separate process that measures response times over loopback.
import { cpuOf } from "./cpu.ts";
import { type ParkedPolls, parkedPolls } from "./polls.ts";
import { COUNTER } from "./requests.ts";
import { uploadTime } from "./upload.ts";
import { Wire } from "./wire.ts";

export interface SendOptions {
  port: number;
  /** Requests that are repeated, each on a connection of its own, all in parallel. */
  requests: string[];
  /** Number of requests over all connections. */
  count: number;
  /** Pause of a sender after each response. */
  pause_ms?: number;
  /** Whether the requests are expected to be rejected. */
  expectsRejection?: boolean;
}

interface UploadOptions {
  port: number;
  /** Parts of the request before and after the given number of bytes. */
  head: string;
  tail: string;
  bytes: number;
}

export interface Timing {
  per_second: number;
  p50_ms: number;
  p99_ms: number;
}

export interface FanoutOptions {
  port: number;
  polls: { request: string; last: number }[];
}

interface RoundOptions {
  request: string;
  rounds: number;
}

export interface FanoutResult {
  deliveries: number;
  /** From a send to its last delivery. */
  p50_ms: number;
  /**
   * CPU time of the server from the sends to the last deliveries; and with the polls that follow.
   */
  delivering_ms: number;
  cycle_ms: number;
}

const TASK_MS = 120_000;
/** Time until a server is idle again, which includes parking the polls. */
const SETTLE_MS = 3;
const PARK_MS = 0.05;

let sentCount = 0;
const connections = new Map<string, Wire>();
let parked: ParkedPolls | undefined;

/** The tasks that the bench can request from this process, by name. */
const tasks = {
  async send({
    port,
    requests,
    count,
    pause_ms = 0,
    expectsRejection = false,
  }: SendOptions): Promise<Timing> {
    const wires = await Promise.all(requests.map((_, index) => wireTo(port, index)));
    const durations: number[] = [];
    let remaining = count;
    const startedAt = performance.now();
    const sender = async (wire: Wire, request: string) => {
      while (remaining-- > 0) {
        const time = performance.now();
        await wire.request(withNumber(request)).catch((error: Error) => {
          if (!expectsRejection || !error.message.startsWith("HTTP/1.1 4")) throw error;
        });
        durations.push(performance.now() - time);
        if (pause_ms > 0) await Bun.sleep(pause_ms);
      }
    };
    await Promise.all(wires.map((wire, index) => sender(wire, requests[index]!)));
    return summarize(durations, performance.now() - startedAt);
  },

  /** Sends requests in sequence, and returns the response texts. */
  async ask({ port, requests }: { port: number; requests: string[] }): Promise<string[]> {
    const wire = await wireTo(port, 0);
    const responses: string[] = [];
    for (const request of requests) responses.push(await wire.request(request));
    return responses;
  },

  async park({ port, polls }: FanoutOptions): Promise<null> {
    parked?.close();
    parked = await parkedPolls(port, polls);
    return null;
  },

  async unpark(_nothing: null): Promise<null> {
    parked?.close();
    parked = undefined;
    return null;
  },

  /** Sends one message at a time; all polls return between the messages. */
  async fanout({ request, rounds, pid }: RoundOptions & { pid: number }): Promise<FanoutResult> {
    const polls = parked!;
    const wire = await wireTo(polls.port, 0);
    const first = polls.delivered;
    const durations: number[] = [];
    let delivering_ms = 0;
    const startedAt = cpuOf(pid);
    for (let round = 1; round <= rounds; round++) {
      polls.hold();
      const [time, before] = [performance.now(), cpuOf(pid)];
      await Promise.all([
        wire.request(withNumber(request)),
        polls.untilDelivered(first + round * polls.count),
      ]);
      durations.push(performance.now() - time);
      await Bun.sleep(SETTLE_MS);
      delivering_ms += cpuOf(pid) - before;
      polls.release();
      await Bun.sleep(SETTLE_MS + polls.count * PARK_MS);
    }
    const { p50_ms } = summarize(durations, 0);
    const deliveries = polls.delivered - first;
    return { deliveries, p50_ms, delivering_ms, cycle_ms: cpuOf(pid) - startedAt };
  },

  /** Keeps `flight` messages in progress; each poll is repeated as soon as it is answered. */
  async flight({ request, rounds, flight }: RoundOptions & { flight: number }): Promise<number> {
    const polls = parked!;
    const first = polls.delivered;
    let next = 0;
    const sender = async (_: unknown, index: number) => {
      const wire = await wireTo(polls.port, index);
      while (next < rounds) {
        const number = ++next;
        await wire.request(withNumber(request));
        await polls.untilDelivered(first + number * polls.count);
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: flight }, sender));
    return ((polls.delivered - first) / (performance.now() - startedAt)) * 1000;
  },

  /** Sends one large request and returns its response. */
  upload({ port, head, tail, bytes }: UploadOptions): Promise<string> {
    return uploadTime(port, head, tail, bytes);
  },

  async last_answer(_nothing: null): Promise<string> {
    return parked!.lastAnswer;
  },
};

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;

async function wireTo(port: number, index: number): Promise<Wire> {
  const name = `${port}/${index}`;
  let wire = connections.get(name);
  if (!wire) connections.set(name, (wire = await Wire.open(port)));
  return wire;
}

function withNumber(request: string) {
  return request.replace(COUNTER, String(++sentCount).padStart(COUNTER.length, "0"));
}

function summarize(durations: number[], ms: number): Timing {
  durations.sort((a, b) => a - b);
  const percentile = (part: number) =>
    durations[Math.min(durations.length - 1, Math.floor(durations.length * part))]!;
  return {
    per_second: (durations.length / ms) * 1000,
    p50_ms: percentile(0.5),
    p99_ms: percentile(0.99),
  };
}

async function runTask({ id, name, input }: { id: number; name: TaskName; input: never }) {
  const timer = setTimeout(() => fail(`${name} did not end in time`), TASK_MS);
  const fail = (failed: string) => process.send!({ id, failed });
  try {
    process.send!({ id, done: await tasks[name](input) });
  } catch (error) {
    fail((error as Error).message);
  }
  clearTimeout(timer);
}

process.on("message", (params: Parameters<typeof runTask>[0]) => void runTask(params));
process.on("disconnect", () => process.exit());
