/** Beyond the cap new connections are turned away, those that were there are not. */
import { expect, test } from "bun:test";
import { Descriptors } from "../../src/server/descriptors.ts";

const request = new Request("http://localhost/");
const from = (port: number, closed = { count: 0 }) => ({
  requestIP: () => ({ address: "127.0.0.1", port }),
  closeIdleConnections: () => ++closed.count,
  timeout: () => {},
});

test("who came before it was full is served, who comes later is not, until there is room", () => {
  let [used, time] = [10, 0];
  const descriptors = new Descriptors(
    128,
    () => used,
    () => (time += 10),
  );
  const closed = { count: 0 };
  expect(descriptors.admits(request, from(1, closed))).toBe(true);
  used = 100;
  expect(descriptors.admits(request, from(2, closed))).toBe(true);
  expect(closed.count).toBe(0);
  used = 112;
  expect(descriptors.admits(request, from(3, closed))).toBe(false);
  expect(descriptors.admits(request, from(2, closed))).toBe(true);
  expect(closed.count).toBe(1);
  used = 40;
  expect(descriptors.admits(request, from(3, closed))).toBe(true);
  used = 112;
  expect(descriptors.admits(request, from(2, closed))).toBe(false);
});

test("between two looks nothing is counted, and without a limit never", () => {
  let counted = 0;
  const count = () => ((counted += 1), 0);
  const descriptors = new Descriptors(128, count, () => 5);
  for (let i = 0; i < 5; i++) descriptors.admits(request, from(1));
  expect(counted).toBe(1);
  const endless = new Descriptors(Infinity, count);
  expect(endless.admits(request, from(1))).toBe(true);
  expect(counted).toBe(1);
});
