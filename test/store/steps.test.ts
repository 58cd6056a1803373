// Several long tasks take turns step by step.
import { expect, test } from "bun:test";
import { Pace } from "../../src/store/steps.ts";

test("alternates between two long tasks", async () => {
  const pace = new Pace();
  const started: string[] = [];
  const work = async (name: string) => {
    for (let index = 0; index < 3; index++) await pace.step(async () => started.push(name));
  };
  await Promise.all([work("a"), work("b")]);
  expect(started).toEqual(["a", "b", "a", "b", "a", "b"]);
});

test("lets others run between two steps", async () => {
  const pace = new Pace();
  const done: string[] = [];
  const steps = (async () => {
    for (let index = 0; index < 2; index++) await pace.step(async () => done.push("step"));
  })();
  setImmediate(() => done.push("other"));
  await steps;
  expect(done).toEqual(["step", "other", "step"]);
});

test("a step that fails ends only its own task", async () => {
  const pace = new Pace();
  const failing = pace.step(() => Promise.reject(new Error("no room")));
  const next = pace.step(async () => "done");
  expect(failing).rejects.toThrow("no room");
  expect(await next).toBe("done");
});
