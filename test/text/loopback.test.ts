// Addresses that only the computer itself can open.
import { expect, test } from "bun:test";
import { loopbackHost } from "../../src/text/input/loopback.ts";

test.each([
  ["http://127.0.0.1:9400/join/x/", "127.0.0.1:9400"],
  ["http://localhost:9400/", "localhost:9400"],
  ["http://team.localhost/", "team.localhost"],
  ["http://[::1]:9400/", "[::1]:9400"],
  ["http://0.0.0.0:9400/", "0.0.0.0:9400"],
  ["http://127.1/", "127.0.0.1"],
  ["http://192.168.1.20:9400/", undefined],
  ["https://chat.example.org/", undefined],
  ["https://localhost.example.org/", undefined],
  ["not a URL", undefined],
])("of %s the loopback host is %p", (url, host) => {
  expect(loopbackHost(url)).toBe(host);
});
