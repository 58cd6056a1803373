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
import * as deedCalls from "../../src/web/api/message-calls.ts";
import * as manageCalls from "../../src/web/api/manage-calls.ts";
import * as pushCalls from "../../src/web/api/push-calls.ts";
import { type Request, NoResponse } from "../../src/web/api/http.ts";
import { ApiError } from "../../src/web/contract/api-error.ts";

const MINUTE_MS = 60_000;

/** A clock that the test advances, and a server whose answers the test controls. */
class Scene {
  now = 0;
  readonly asked: string[] = [];
  private timers: { at: number; act: () => void }[] = [];
  private open: { resolve: (response: object) => void; reject: (error: unknown) => void }[] = [];
  readonly asker: RequestQueue;

  constructor() {
    const world = {
      now: () => this.now,
      random: () => 1,
      after: (ms: number, act: () => void) => {
        const timer = { at: this.now + ms, act };
        this.timers.push(timer);
        return () => (this.timers = this.timers.filter((other) => other !== timer));
      },
    };
    const through = <T>(_: unknown, { path, signal }: Request) => {
      this.asked.push(path);
      return new Promise<T>((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        this.open.push({ resolve: resolve as (response: object) => void, reject });
      });
    };
    this.asker = new RequestQueue({ user_id: () => 1, csrf: () => "" }, world, through);
  }

  ask(
    priority: Priority,
    path: string = priority,
    more: Partial<QueuedRequest> = {},
  ): Promise<unknown> {
    return this.asker.ask({ method: "GET", path, priority, ...more });
  }

  async answer(): Promise<void> {
    this.open.shift()?.resolve({});
    await Bun.sleep(0);
  }

  async fail(error: unknown): Promise<void> {
    this.open.shift()?.reject(error);
    await Bun.sleep(0);
  }

  async pass(ms: number): Promise<void> {
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
  const scene = new Scene();
  for (let offset = 0; offset < 4; offset += 1) void scene.ask("view", `first ${offset}`);
  for (const item of ["presence", "prefetch", "view", "flags", "send"] as const)
    void scene.ask(item);
  expect(scene.asked).toHaveLength(4);
  for (let offset = 0; offset < 9; offset += 1) await scene.answer();
  expect(scene.asked.slice(4)).toEqual(["send", "flags", "view", "prefetch", "presence"]);
});

test("delays reads when the minute's budget is used up, but not writes", async () => {
  const scene = new Scene();
  await scene.spend(120, "view");
  void scene.ask("view", "late");
  void scene.ask("send");
  expect(scene.asked.slice(120)).toEqual(["send"]);
  await scene.answer();
  await scene.pass(MINUTE_MS);
  expect(scene.asked.at(-1)).toBe("late");
});

test("limits prefetches: two at once, thirty a minute", async () => {
  const scene = new Scene();
  for (let offset = 0; offset < 40; offset += 1) void scene.ask("prefetch");
  expect(scene.asked).toHaveLength(2);
  for (let offset = 0; offset < 40; offset += 1) await scene.answer();
  expect(scene.asked).toHaveLength(30);
});

test("retries without a response, with growing delays, and at once on demand", async () => {
  const scene = new Scene();
  const answered = scene.ask("view", "again", { isRetried: true });
  for (const wait of [1000, 2000, 4000]) {
    await scene.fail(new NoResponse("no network"));
    await scene.pass(wait - 1);
    const before = scene.asked.length;
    await scene.pass(1);
    expect(scene.asked).toHaveLength(before + 1);
  }
  await scene.fail(new NoResponse("too busy", 30_000));
  await scene.pass(29_000);
  expect(scene.asked).toHaveLength(4);
  scene.asker.retryNow();
  expect(scene.asked).toHaveLength(5);
  // The first request after the network returns may still fail.
  await scene.fail(new NoResponse("no network"));
  await scene.pass(1000);
  expect(scene.asked).toHaveLength(6);
  await scene.answer();
  expect(await answered).toEqual({});
});

test("does not retry requests that are not idempotent, or that were rejected", async () => {
  const scene = new Scene();
  const sent = scene.ask("send").catch((error: unknown) => error);
  await scene.fail(new NoResponse("no network"));
  expect(await sent).toBeInstanceOf(NoResponse);
  const refused = scene.ask("view", "view", { isRetried: true }).catch((error: unknown) => error);
  await scene.fail(new ApiError(400, "BAD_REQUEST", "No", {}));
  expect(await refused).toBeInstanceOf(ApiError);
  expect(scene.asked).toHaveLength(2);
});

test("does not wait for a response on a dead connection", async () => {
  const scene = new Scene();
  const answered = scene.ask("view", "again", { isRetried: true });
  await scene.pass(59_999);
  expect(scene.asked).toHaveLength(1);
  await scene.pass(1);
  await scene.pass(1000);
  expect(scene.asked).toHaveLength(2);
  // A request sent just now is not repeated, unless the network has certainly changed.
  scene.asker.retryNow();
  await Bun.sleep(0);
  await scene.pass(2000);
  expect(scene.asked).toHaveLength(2);
  scene.asker.retryNow(true);
  await Bun.sleep(0);
  await scene.pass(2000);
  expect(scene.asked).toHaveLength(3);
  await scene.pass(3000);
  scene.asker.retryNow();
  await Bun.sleep(0);
  await scene.pass(4000);
  expect(scene.asked).toHaveLength(4);
  for (let offset = 0; offset < 4; offset += 1) await scene.answer();
  expect(await answered).toEqual({});
});

test("reports a lost network at once for stored requests, and waits for others", async () => {
  const scene = new Scene();
  const failed = (error: unknown) => error;
  const retained = scene.ask("send", "kept", { isStored: true }).catch(failed);
  const once = scene.ask("send", "once").catch(failed);
  scene.asker.retryNow(true);
  expect(await retained).toBeInstanceOf(NoResponse);
  await scene.answer();
  await scene.answer();
  expect(await once).toEqual({});
});

test("cancels requests that nothing waits for", async () => {
  const scene = new Scene();
  for (let offset = 0; offset < 4; offset += 1) void scene.ask("view");
  const leaving = new AbortController();
  const left = scene.ask("view", "left", { signal: leaving.signal }).catch(() => "left");
  leaving.abort();
  await scene.answer();
  expect(await left).toBe("left");
  expect(scene.asked).not.toContain("left");
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
    ...deedCalls,
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
