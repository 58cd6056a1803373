/** Counting and expiry of the rate limiter. */
import { expect, test } from "bun:test";
import { networkOf } from "../../src/server/context.ts";
import { Limiter, SIGN_IN_BY_NAME } from "../../src/server/limit.ts";

function limiter() {
  const clock = { time: 0, now: () => clock.time };
  return { clock, limiter: new Limiter(clock, SIGN_IN_BY_NAME) };
}

test("allows five failures in half an hour, and no sixth", () => {
  const { clock, limiter: failures } = limiter();
  for (let call = 1; call <= 5; call++) {
    expect(failures.take("mona")).toMatchObject({ allowed: true, remaining: 5 - call });
  }
  clock.time = 1_799_999;
  expect(failures.take("mona")).toMatchObject({ allowed: false, remaining: 0, retry_after: 0.001 });
  expect(failures.take("adam").allowed).toBe(true);
  clock.time = 1_800_000;
  expect(failures.take("mona")).toMatchObject({ allowed: true, remaining: 4 });
});

test("a check is not counted, and a success resets the failures", () => {
  const { limiter: failures } = limiter();
  for (let call = 1; call <= 5; call++) failures.take("mona");
  expect(failures.peek("mona").allowed).toBe(false);
  expect(failures.peek("adam")).toMatchObject({ allowed: true, remaining: 5 });
  failures.forget("mona");
  expect(failures.peek("mona")).toMatchObject({ allowed: true, remaining: 5 });
  expect(failures.size).toBe(0);
});

test("deletes expired windows, and limits their number", () => {
  const { clock, limiter: failures } = limiter();
  for (let user_id = 0; user_id < 100_010; user_id++) failures.take(user_id);
  expect(failures.size).toBe(100_000);
  expect(failures.peek(0).remaining).toBe(5);
  expect(failures.peek(100_009).remaining).toBe(4);
  clock.time = 1_800_000;
  failures.take("mona");
  expect(failures.size).toBe(1);
});

test("counts an IPv6 address by its network", () => {
  const networks: [string, string][] = [
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["2001:db8:1:2::", "2001:db8:1:2"],
  ];
  for (const [address, network] of networks) expect(networkOf(address)).toBe(network);
});
