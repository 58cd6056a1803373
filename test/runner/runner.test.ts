// Each due job runs once, those of a kind in order, and none waits for a job of another kind.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type DueKinds, JobFailed, Runner } from "../../src/runner/runner.ts";
import type { DueJob } from "../../src/schema/records.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";

let testServer: TestServer;
let runner: Runner;
let started: unknown[];
let reported: string[];
/** Promises by job kind; jobs of the kind wait for theirs. */
let gates: Record<string, PromiseWithResolvers<void>>;

const work = async (_realm: unknown, { kind, payload }: DueJob) => {
  started.push(payload);
  await gates[kind]?.promise;
};
const kinds: DueKinds = {
  plain: { run: work },
  slow: { run: work },
  few: { run: work, at_once: 2 },
  many: { run: work, at_once: 100 },
  hopeless: {
    run: async () => {
      throw new JobFailed("never");
    },
  },
  tried: {
    run: async (_realm, job) => {
      await work(_realm, job);
      throw new Error("a fault");
    },
    retries: { attempts_max: 3, first_ms: 5_000, last_ms: 6_000 },
  },
  faulty: {
    run: async (_realm, job) => {
      await work(_realm, job);
      throw new Error("a fault");
    },
  },
};

beforeEach(async () => {
  testServer = await startTestServer();
  [started, reported, gates] = [[], [], {}];
  runner = new Runner(testServer.realm, kinds, [], (label) => reported.push(label));
  testServer.realm.onDue = (from) => runner.wake(from);
});
afterEach(async () => {
  for (const gate of Object.values(gates)) gate.resolve();
  await runner.stop();
  await testServer.close();
});

const enqueue = (kind: string, payload: unknown, index = 0) =>
  testServer.realm.write((tx) => tx.enqueue(kind, index, payload));
const remainingPayloads = () => [...testServer.realm.read.due.range()].map((job) => job.payload);

test("runs jobs once each, in order of their times", async () => {
  await testServer.realm.write((tx) => {
    for (const index of [3, 1, 2]) tx.enqueue("plain", index, index);
    tx.enqueue("plain", testServer.clock.now() + 100_000, "later");
  });
  await until(() => remainingPayloads().length === 1);
  expect([started, remainingPayloads()]).toEqual([[1, 2, 3], ["later"]]);
  testServer.clock.passSeconds(100);
  runner.wake();
  await until(() => remainingPayloads().length === 0);
  expect(started).toEqual([1, 2, 3, "later"]);
});

test("does not start a running job again", async () => {
  gates["slow"] = Promise.withResolvers();
  await enqueue("slow", "a");
  await enqueue("plain", "b");
  runner.wake();
  await until(() => remainingPayloads().length === 1);
  gates["slow"].resolve();
  await until(() => remainingPayloads().length === 0);
  expect(started).toEqual(["a", "b"]);
});

test("postpones, reports and retries a failed job", async () => {
  await enqueue("faulty", "a");
  await until(() => reported.length === 1);
  await until(
    () =>
      remainingPayloads().length === 1 && [...testServer.realm.read.due.range()][0]!.attempts === 1,
  );
  testServer.clock.passSeconds(1);
  runner.wake();
  await until(() => reported.length === 2);
  expect([started, reported]).toEqual([
    ["a", "a"],
    ["job faulty", "job faulty"],
  ]);
});

test("runs one job of a kind after the other, and other kinds meanwhile", async () => {
  gates["slow"] = Promise.withResolvers();
  await testServer.realm.write((tx) => {
    for (let n = 0; n < 70; n++) tx.enqueue("slow", 0, n);
    tx.enqueue("plain", 1, "plain");
  });
  await until(() => !remainingPayloads().includes("plain"));
  expect(started).toEqual([0, "plain"]);
  gates["slow"].resolve();
  await until(() => remainingPayloads().length === 0);
  expect(started).toEqual([0, "plain", ...Array(70).keys()].toSpliced(2, 1));
});

test("runs as many jobs of a kind at once as it allows, and other kinds meanwhile", async () => {
  gates["many"] = Promise.withResolvers();
  gates["few"] = Promise.withResolvers();
  await testServer.realm.write((tx) => {
    for (let n = 0; n < 50; n++) tx.enqueue("many", 0, "many");
    for (let n = 0; n < 30; n++) tx.enqueue("few", 0, n);
    tx.enqueue("plain", 1, "plain");
  });
  await until(() => !remainingPayloads().includes("plain"));
  expect(started).toEqual([...Array(50).fill("many"), 0, 1, "plain"]);
  gates["many"].resolve();
  gates["few"].resolve();
  await until(() => remainingPayloads().length === 0);
  expect(started).toHaveLength(81);
});

test("reads a waiting job once, however many others run meanwhile", async () => {
  gates["few"] = Promise.withResolvers();
  const { due } = testServer.realm.read;
  const sound = due.sound.bind(due);
  let readCount = 0;
  due.sound = function* (...params) {
    for (const job of sound(...params)) {
      readCount++;
      yield job;
    }
  };
  await testServer.realm.write((tx) => {
    for (let n = 0; n < 1_200; n++) tx.enqueue("few", 0, n);
    for (let n = 0; n < 300; n++) tx.enqueue("plain", testServer.clock.now() + 60_000, "later");
  });
  for (let n = 0; n < 20; n++) {
    await enqueue("plain", `plain ${n}`, testServer.clock.now());
    await until(() => started.includes(`plain ${n}`));
  }
  // Each is read once, and the first that is not due at each look.
  expect(readCount).toBeLessThan(1_200 + 300);
  gates["few"].resolve();
  await until(() => started.length === 1_220);
  expect(new Set(started).size).toBe(1_220);
});

test("runs jobs again whose result could not be stored", async () => {
  const { realm } = testServer;
  const { write } = realm;
  gates["plain"] = Promise.withResolvers();
  await realm.write((tx) => {
    for (const [index, name] of ["a", "b", "c"].entries()) tx.enqueue("plain", index, name);
  });
  await until(() => started.length === 1);
  realm.write = () => Promise.reject(new Error("the disk is full"));
  gates["plain"].resolve();
  await until(() => started.length === 3);
  realm.write = write;
  expect(remainingPayloads()).toEqual(["a", "b", "c"]);
  await until(() => remainingPayloads().length === 0);
  expect(started).toEqual(["a", "b", "c", "a", "b", "c"]);
});

test("tries a job as often as its kind says", async () => {
  await enqueue("tried", "a");
  for (const attempts of [1, 2]) {
    await until(() => [...testServer.realm.read.due.range()][0]?.attempts === attempts);
    expect(started).toHaveLength(attempts);
    testServer.clock.passSeconds(6);
    runner.wake();
  }
  await until(() => remainingPayloads().length === 0);
  expect([started, reported]).toEqual([["a", "a", "a"], Array(3).fill("job tried")]);
});

test("reports a job that gives up, and does not retry it", async () => {
  await enqueue("hopeless", "a");
  await until(() => remainingPayloads().length === 0);
  expect(reported).toEqual(["job hopeless"]);
});

test("a stop waits for running jobs, and starts no others", async () => {
  gates["slow"] = Promise.withResolvers();
  await testServer.realm.write((tx) => {
    tx.enqueue("slow", 0, "a");
    tx.enqueue("slow", 1, "b");
  });
  const stopped = runner.stop();
  gates["slow"].resolve();
  await stopped;
  expect([started, remainingPayloads()]).toEqual([["a"], ["b"]]);
});

test("a stop runs the jobs that store data first, and reports no error of a slow one", async () => {
  const gate = (gates["slow"] = Promise.withResolvers<void>());
  const roundJob = (name: string) => ({
    name,
    every_ms: 3_600_000,
    run: async () => void started.push(name),
  });
  const slow = async () => {
    started.push("slow");
    await gate.promise;
    throw new Error("the store is closed");
  };
  const rounds = [
    { ...roundJob("faulty"), run: () => Promise.reject(new Error("a fault")) },
    { ...roundJob("slow"), run: slow },
    roundJob("purge"),
    { ...roundJob("keep"), keeps: true as const },
  ];
  const other = new Runner(testServer.realm, kinds, rounds, (label) => reported.push(label));
  await other.stop();
  gate.resolve();
  await Bun.sleep(0);
  expect([started, reported]).toEqual([["keep", "slow"], ["faulty"]]);
});
