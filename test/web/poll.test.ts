// The event poll: what it acknowledges, when it repeats, and when it gives up.
import { expect, test } from "bun:test";
import { type Request, NoResponse } from "../../src/web/api/http.ts";
import { ApiError } from "../../src/web/contract/api-error.ts";
import type { Event } from "../../src/web/contract/snapshot.ts";
import type { Cursor } from "../../src/web/sync/layout.ts";
import { Poller } from "../../src/web/sync/poll.ts";

type Answer = number[] | Error | "held";
const lostQueueError = () => new ApiError(400, "BAD_EVENT_QUEUE_ID", "Bad event queue ID", {});
const networkError = () => new NoResponse("no network");

/** A server that gives these answers and then holds the request; `done` lists the steps. */
class FakeServer {
  readonly log: string[] = [];
  readonly rests: number[] = [];
  /** Duration of each answer in milliseconds; further answers take a second. */
  readonly waits: number[] = [];
  isHidden = false;
  readonly end = new AbortController();
  readonly poller: Poller;
  private queues = 0;
  private time = 0;

  constructor(
    private readonly answers: Answer[],
    private readonly place: Cursor | undefined = { queue_id: "q", last_event_id: 5 },
  ) {
    const polling = {
      requestContext: { user_id: () => 1, csrf: () => "" },
      cursor: async () => this.place,
      begin: async () => {
        this.queues += 1;
        this.log.push("begin");
        return { queue_id: `new ${this.queues}`, last_event_id: 0 };
      },
      onEvents: async ({ last_event_id }: Cursor, from: number, events: readonly Event[]) => {
        this.log.push(`took ${events.length} after ${from}, to ${last_event_id}`);
      },
      isHidden: () => this.isHidden,
      onReachable: (isReached: boolean) => void this.log.push(isReached ? "live" : "away"),
    };
    const world = {
      now: () => this.time,
      random: () => 1,
      after: (ms: number, action: () => void) => {
        this.rests.push(ms);
        queueMicrotask(action);
        return () => {};
      },
    };
    this.poller = new Poller(polling, world, (_, request) => this.answerPoll(request) as never);
  }

  private answerPoll({ params, signal }: Request): Promise<{ events: Event[] }> {
    const { queue_id, last_event_id, dont_block } = params as Record<string, unknown>;
    this.log.push(`poll ${queue_id} ${last_event_id}${dont_block ? " at once" : ""}`);
    const response = this.answers.shift();
    this.time += this.waits.shift() ?? 1_000;
    if (response === undefined) this.end.abort();
    if (response instanceof Error) return Promise.reject(response);
    if (response === undefined || response === "held") {
      return new Promise((_, reject) => {
        const isAbsent = () => reject(new DOMException("aborted", "AbortError"));
        if (signal!.aborted) isAbsent();
        else signal!.addEventListener("abort", isAbsent);
      });
    }
    return Promise.resolve({ events: response.map((id) => ({ id, type: "heartbeat" })) });
  }

  async run(): Promise<string[]> {
    await this.poller.run(this.end.signal);
    return this.log;
  }
}

test("processes the events of a poll before the next acknowledges them", async () => {
  expect(await new FakeServer([[6, 7], [], [9]]).run()).toEqual([
    "poll q 5 at once",
    "live",
    "took 2 after 5, to 7",
    "poll q 7",
    "live",
    "poll q 7",
    "live",
    "took 1 after 7, to 9",
    "poll q 9",
  ]);
});

test("groups quick events, and passes the first at once", async () => {
  const deviceFixture = new FakeServer([[6], [7], [8], [9], [10]]);
  deviceFixture.waits.push(1_000, 50, 150, 900);
  await deviceFixture.run();
  expect(deviceFixture.rests).toEqual([100, 100]);
  const single = new FakeServer([[6], [7], [8]]);
  await single.run();
  expect(single.rests).toEqual([]);
  // A hidden page does not group events, because its late timers would delay the other tabs.
  const hidden = new FakeServer([[6], [7], [8]]);
  hidden.waits.push(1_000, 50, 50);
  hidden.isHidden = true;
  await hidden.run();
  expect(hidden.rests).toEqual([]);
});

test("retries offline with growing delays, and then at once", async () => {
  const deviceFixture = new FakeServer([[6], networkError(), networkError(), []]);
  expect((await deviceFixture.run()).slice(3)).toEqual([
    "poll q 6",
    "away",
    "poll q 6 at once",
    "away",
    "poll q 6 at once",
    "live",
    "poll q 6",
  ]);
  expect(deviceFixture.rests).toEqual([1000, 2000]);
});

test("registers a new queue, and waits if that is lost at once", async () => {
  const deviceFixture = new FakeServer([
    [],
    lostQueueError(),
    lostQueueError(),
    lostQueueError(),
    [],
  ]);
  const { log, rests } = deviceFixture;
  await deviceFixture.run();
  expect(log.filter((item) => item === "begin")).toHaveLength(3);
  expect(log.at(-1)).toBe("poll new 3 0");
  expect(rests).toEqual([2000, 4000]);
});

test("registers first without a queue", async () => {
  const deviceFixture = new FakeServer([[]], undefined);
  Object.assign(deviceFixture, { place: undefined });
  expect((await deviceFixture.run()).slice(0, 2)).toEqual(["begin", "poll new 1 0 at once"]);
});

test("a kick ends an open poll, and the next is answered at once", async () => {
  const deviceFixture = new FakeServer([[], "held", []]);
  const polling = deviceFixture.run();
  while (deviceFixture.log.length < 3) await Bun.sleep(0);
  deviceFixture.poller.checkNow();
  expect((await polling).slice(2)).toEqual(["poll q 5", "poll q 5 at once", "live", "poll q 5"]);
});

test("starts waiting anew after a kick", async () => {
  const deviceFixture = new FakeServer([
    networkError(),
    networkError(),
    networkError(),
    "held",
    networkError(),
    [],
  ]);
  const polling = deviceFixture.run();
  while (deviceFixture.rests.length < 3) await Bun.sleep(0);
  await Bun.sleep(0);
  deviceFixture.poller.checkNow();
  await polling;
  expect(deviceFixture.rests).toEqual([1000, 2000, 4000, 1000]);
});

test("stops at an error that retrying cannot fix", async () => {
  const rejection = new ApiError(401, "UNAUTHORIZED", "Not logged in", {});
  const deviceFixture = new FakeServer([rejection]);
  expect(await deviceFixture.run().catch((error: unknown) => error)).toBe(rejection);
});
