// The request scheduler: priorities, the rate limit, and retries where they help.
import { expect, test } from "bun:test";
import { routes } from "../../src/contract/routes.ts";
import {
  RequestQueue,
  type QueuedRequest,
  backOff,
  type Priority,
} from "../../src/web/api/request-queue.ts";
import * as accountCalls from "../../src/web/api/account-calls.ts";
import * as calls from "../../src/web/api/calls.ts";
import * as messageCalls from "../../src/web/api/message-calls.ts";
import * as manageCalls from "../../src/web/api/manage-calls.ts";
import * as pushCalls from "../../src/web/api/push-calls.ts";
import { type Request, NoResponse } from "../../src/web/api/http.ts";
import { ApiError } from "../../src/web/contract/api-error.ts";

const MINUTE_MS = 60_000;

/** A clock that the test advances, and a server whose answers the test controls. */
class FakeNetwork {
  now = 0;
  readonly asked: string[] = [];
  private timers: { at: number; act: () => void }[] = [];
  private open: { resolve: (response: object) => void; reject: (error: unknown) => void }[] = [];
  readonly asker: RequestQueue;

  constructor() {
    const world = {
      now: () => this.now,
      random: () => 1,
      after: (ms: number, action: () => void) => {
        const timer = { at: this.now + ms, act: action };
        this.timers.push(timer);
        return () => (this.timers = this.timers.filter((other) => other !== timer));
      },
    };
    const fakeFetch = <T>(_: unknown, { path, signal }: Request) => {
      this.asked.push(path);
      return new Promise<T>((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        this.open.push({ resolve: resolve as (response: object) => void, reject });
      });
    };
    this.asker = new RequestQueue({ user_id: () => 1, csrf: () => "" }, world, fakeFetch);
  }

  ask(
    priority: Priority,
    path: string = priority,
    extra: Partial<QueuedRequest> = {},
  ): Promise<unknown> {
    return this.asker.ask({ method: "GET", path, priority, ...extra });
  }

  async answer(): Promise<void> {
    this.open.shift()?.resolve({});
    await Bun.sleep(0);
  }

  async fail(error: unknown): Promise<void> {
    this.open.shift()?.reject(error);
    await Bun.sleep(0);
  }

  async passTime(ms: number): Promise<void> {
    this.now += ms;
    const due = this.timers.filter(({ at: time }) => time <= this.now);
    this.timers = this.timers.filter(({ at: time }) => time > this.now);
    for (const { act } of due) act();
    await Bun.sleep(0);
  }

  /** Sends this many requests and answers each of them. */
  async spend(count: number, priority: Priority): Promise<void> {
    for (let offset = 0; offset < count; offset += 1) {
      void this.ask(priority);
      await this.answer();
    }
  }
}

test("sends writes before reads, and reads before prefetches", async () => {
  const deviceFixture = new FakeNetwork();
  for (let offset = 0; offset < 4; offset += 1) void deviceFixture.ask("view", `first ${offset}`);
  for (const item of ["presence", "prefetch", "view", "flags", "send"] as const)
    void deviceFixture.ask(item);
  expect(deviceFixture.asked).toHaveLength(4);
  for (let offset = 0; offset < 9; offset += 1) await deviceFixture.answer();
  expect(deviceFixture.asked.slice(4)).toEqual(["send", "flags", "view", "prefetch", "presence"]);
});

test("delays reads when the minute's budget is used up, but not writes", async () => {
  const deviceFixture = new FakeNetwork();
  await deviceFixture.spend(120, "view");
  void deviceFixture.ask("view", "late");
  void deviceFixture.ask("send");
  expect(deviceFixture.asked.slice(120)).toEqual(["send"]);
  await deviceFixture.answer();
  await deviceFixture.passTime(MINUTE_MS);
  expect(deviceFixture.asked.at(-1)).toBe("late");
});

test("limits prefetches: two at once, thirty a minute", async () => {
  const deviceFixture = new FakeNetwork();
  for (let offset = 0; offset < 40; offset += 1) void deviceFixture.ask("prefetch");
  expect(deviceFixture.asked).toHaveLength(2);
  for (let offset = 0; offset < 40; offset += 1) await deviceFixture.answer();
  expect(deviceFixture.asked).toHaveLength(30);
});

test("retries without a response, with growing delays, and at once on demand", async () => {
  const deviceFixture = new FakeNetwork();
  const response = deviceFixture.ask("view", "again", { isRetried: true });
  for (const wait of [1000, 2000, 4000]) {
    await deviceFixture.fail(new NoResponse("no network"));
    await deviceFixture.passTime(wait - 1);
    const before = deviceFixture.asked.length;
    await deviceFixture.passTime(1);
    expect(deviceFixture.asked).toHaveLength(before + 1);
  }
  await deviceFixture.fail(new NoResponse("too busy", 30_000));
  await deviceFixture.passTime(29_000);
  expect(deviceFixture.asked).toHaveLength(4);
  deviceFixture.asker.retryNow();
  expect(deviceFixture.asked).toHaveLength(5);
  // The first request after the network returns may still fail.
  await deviceFixture.fail(new NoResponse("no network"));
  await deviceFixture.passTime(1000);
  expect(deviceFixture.asked).toHaveLength(6);
  await deviceFixture.answer();
  expect(await response).toEqual({});
});

test("does not retry requests that are not idempotent, or that were rejected", async () => {
  const deviceFixture = new FakeNetwork();
  const sendRequest = deviceFixture.ask("send").catch((error: unknown) => error);
  await deviceFixture.fail(new NoResponse("no network"));
  expect(await sendRequest).toBeInstanceOf(NoResponse);
  const refused = deviceFixture
    .ask("view", "view", { isRetried: true })
    .catch((error: unknown) => error);
  await deviceFixture.fail(new ApiError(400, "BAD_REQUEST", "No", {}));
  expect(await refused).toBeInstanceOf(ApiError);
  expect(deviceFixture.asked).toHaveLength(2);
});

test("does not wait for a response on a dead connection", async () => {
  const deviceFixture = new FakeNetwork();
  const response = deviceFixture.ask("view", "again", { isRetried: true });
  await deviceFixture.passTime(59_999);
  expect(deviceFixture.asked).toHaveLength(1);
  await deviceFixture.passTime(1);
  await deviceFixture.passTime(1000);
  expect(deviceFixture.asked).toHaveLength(2);
  // A request sent just now is not repeated, unless the network has certainly changed.
  deviceFixture.asker.retryNow();
  await Bun.sleep(0);
  await deviceFixture.passTime(2000);
  expect(deviceFixture.asked).toHaveLength(2);
  deviceFixture.asker.retryNow(true);
  await Bun.sleep(0);
  await deviceFixture.passTime(2000);
  expect(deviceFixture.asked).toHaveLength(3);
  await deviceFixture.passTime(3000);
  deviceFixture.asker.retryNow();
  await Bun.sleep(0);
  await deviceFixture.passTime(4000);
  expect(deviceFixture.asked).toHaveLength(4);
  for (let offset = 0; offset < 4; offset += 1) await deviceFixture.answer();
  expect(await response).toEqual({});
});

test("reports a lost network at once for stored requests, and waits for others", async () => {
  const deviceFixture = new FakeNetwork();
  const returnError = (error: unknown) => error;
  const retained = deviceFixture.ask("send", "kept", { isStored: true }).catch(returnError);
  const once = deviceFixture.ask("send", "once").catch(returnError);
  deviceFixture.asker.retryNow(true);
  expect(await retained).toBeInstanceOf(NoResponse);
  await deviceFixture.answer();
  await deviceFixture.answer();
  expect(await once).toEqual({});
});

test("cancels requests that nothing waits for", async () => {
  const deviceFixture = new FakeNetwork();
  for (let offset = 0; offset < 4; offset += 1) void deviceFixture.ask("view");
  const abortController = new AbortController();
  const abandoned = deviceFixture
    .ask("view", "left", { signal: abortController.signal })
    .catch(() => "left");
  abortController.abort();
  await deviceFixture.answer();
  expect(await abandoned).toBe("left");
  expect(deviceFixture.asked).not.toContain("left");
});

test("doubles delays up to a minute, half of each at random", () => {
  const longest = [1, 2, 3, 7, 20].map((tries) => backOff(tries, 1));
  expect(longest).toEqual([1000, 2000, 4000, 60_000, 60_000]);
  expect(backOff(1, 0)).toBe(500);
});

test("every call of the client matches a route for sessions", () => {
  const created = Object.values({
    ...calls,
    ...accountCalls,
    ...messageCalls,
    ...manageCalls,
    ...pushCalls,
  }).filter((item) => typeof item === "function");
  expect(created.length).toBeGreaterThan(3);
  for (const { method, path } of created) {
    // Routes of pages are registered with their full path under /json, not under the API's path.
    const paths = [path, `root:/json${path}`];
    const route = routes.find((route) => route.method === method && paths.includes(route.path));
    expect([method, path, route?.mark]).toEqual([method, path, undefined]);
    expect(route).toBeDefined();
  }
});
