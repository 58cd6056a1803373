/** Above the connection limit, new connections are closed and existing ones stay. */
import { expect, test } from "bun:test";
import { Descriptors } from "../../src/server/descriptors.ts";

const request = new Request("http://localhost/");
const fakeServer = (port: number, closed = { count: 0 }) => ({
  requestIP: () => ({ address: "127.0.0.1", port }),
  closeIdleConnections: () => ++closed.count,
  timeout: () => {},
});

test("rejects connections beyond the limit until others end", () => {
  let [used, time] = [10, 0];
  const descriptors = new Descriptors(
    128,
    () => used,
    () => (time += 10),
  );
  const closed = { count: 0 };
  expect(descriptors.canAdmit(request, fakeServer(1, closed))).toBe(true);
  used = 100;
  expect(descriptors.canAdmit(request, fakeServer(2, closed))).toBe(true);
  expect(closed.count).toBe(0);
  used = 112;
  expect(descriptors.canAdmit(request, fakeServer(3, closed))).toBe(false);
  expect(descriptors.canAdmit(request, fakeServer(2, closed))).toBe(true);
  expect(closed.count).toBe(1);
  used = 40;
  expect(descriptors.canAdmit(request, fakeServer(3, closed))).toBe(true);
  used = 112;
  expect(descriptors.canAdmit(request, fakeServer(2, closed))).toBe(false);
});

test("does not count descriptors between two checks, or without a limit", () => {
  let counted = 0;
  const count = () => ((counted += 1), 0);
  const descriptors = new Descriptors(128, count, () => 5);
  for (let i = 0; i < 5; i++) descriptors.canAdmit(request, fakeServer(1));
  expect(counted).toBe(1);
  const endless = new Descriptors(Infinity, count);
  expect(endless.canAdmit(request, fakeServer(1))).toBe(true);
  expect(counted).toBe(1);
});

test("counts descriptors rarely while many are free, and often when few are", () => {
  let [used, counted, time] = [10, 0, 0];
  const count = () => ((counted += 1), used);
  const descriptors = new Descriptors(1_048_576, count, () => time);
  const checksWithin = (ms: number) => {
    const [before, end] = [counted, time + ms];
    for (; time < end; time++) descriptors.canAdmit(request, fakeServer(1));
    return counted - before;
  };
  expect(checksWithin(3_000)).toBe(3);
  used = 600_000;
  checksWithin(1_000);
  expect(checksWithin(1_000)).toBe(100);
});
